/* profile.h: the callbacks of tools (OpenACC 2.6, chapter 5), called for the events that libgomp has on the host:
 * initialisation, compute constructs, data regions and directives, update. */
#ifndef BACC_PROFILE_H
#define BACC_PROFILE_H

#include "acc_decl.h"

struct bacc_event {
    int start;       /* its first half; the second is the next number */
    int parent;      /* the construct that it is part of */
    bool implicit;   /* the program did not ask for it */
    int device_type; /* as the program named it; 0: the host */
    int queue;
};

/* An event between its halves: what the callbacks are given. */
struct bacc_profile {
    bool on; /* the rest is filled in */
    struct acc_prof_info info;
    union {
        struct acc_event_info event;
        char room[64]; /* of acc_event_info, all of it */
    };
    struct acc_api_info api;
};

/* The first half of an event, in the order of registration; and its second, in reverse. */
void bacc_profile_start(struct bacc_profile *profile, const struct bacc_event *event);
void bacc_profile_end(struct bacc_profile *profile);

#endif
