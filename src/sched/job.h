/* The unit of work. A job is embedded in the description of its work (a frame on a stack, a task descriptor); the
 * scheduler only moves its address. It does not own the memory, which stays valid until run() was called or its owner
 * popped it. */
#ifndef BZ_JOB_H
#define BZ_JOB_H

struct bz_worker;

struct bz_job {
    /* Called once, on the worker that took the job. The job's memory may be gone when it returns. */
    void (*run)(struct bz_job *job, struct bz_worker *self);
};

#endif
