/* plugin.h: the parts of qemu's plugin interface, version 1, that machine.c uses: Debian's qemu-user comes without a
 * header. */
#ifndef LINES_PLUGIN_H
#define LINES_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLUGIN_VERSION = 1 };
enum plugin_registers { PLUGIN_NO_REGISTERS };
enum plugin_accesses { PLUGIN_READS_AND_WRITES = 3 };
enum plugin_operation { PLUGIN_ADD };

struct qemu_plugin_tb;   /* instructions that are translated together */
struct qemu_plugin_insn; /* one of them */

typedef uint64_t plugin_id;

/* The version of the interface that the plugin is for; qemu reads it. */
extern int qemu_plugin_version;
/* Called by qemu; 0: the plugin is ready. The arguments are those of -plugin, "name=value". */
int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv);

void qemu_plugin_register_vcpu_init_cb(plugin_id id, void (*f)(plugin_id id, unsigned cpu));
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*f)(plugin_id id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_syscall_cb(plugin_id id,
                                          void (*f)(plugin_id id, unsigned cpu, int64_t number, uint64_t a1,
                                                    uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5,
                                                    uint64_t a6, uint64_t a7, uint64_t a8));
void qemu_plugin_register_vcpu_syscall_ret_cb(plugin_id id, void (*f)(plugin_id id, unsigned cpu,
                                                                      int64_t number, int64_t result));

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, enum plugin_operation operation,
                                              void *word, uint64_t operand);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, void (*f)(unsigned cpu, void *arg),
                                            enum plugin_registers registers, void *arg);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
                                      void (*f)(unsigned cpu, uint32_t info, uint64_t address, void *arg),
                                      enum plugin_registers registers, enum plugin_accesses accesses,
                                      void *arg);
unsigned qemu_plugin_mem_size_shift(uint32_t info);
bool qemu_plugin_mem_is_store(uint32_t info);

#endif
