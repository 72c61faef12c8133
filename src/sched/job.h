/* The unit of work. A job is embedded in whatever describes the work (a frame on a stack, a task descriptor); the
 * scheduler only moves its address. It does not own the memory, which must stay valid until run() was called or the job
 * was popped by whoever pushed it. */
#ifndef BZ_JOB_H
#define BZ_JOB_H

struct bz_worker;

struct bz_job {
    /* Called once, on the worker that took the job. The job's memory may be gone when it returns. */
    void (*run)(struct bz_job *job, struct bz_worker *self);
};

#endif
