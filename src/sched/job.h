/* The unit of work, embedded in its description (a frame, a task descriptor). The scheduler moves its address; the memory
 * stays valid until run() is called or its owner has popped it. */
#ifndef BZ_JOB_H
#define BZ_JOB_H

struct bz_worker;

struct bz_job {
    /* Called once, on the worker that took the job. The job's memory may be gone when it returns. */
    void (*run)(struct bz_job *job, struct bz_worker *self);
};

#endif
