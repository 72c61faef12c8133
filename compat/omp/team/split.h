/* What a region does about shares by capacity (state/split.h), if bomp_capacity_matters. */
#ifndef BOMP_TEAM_SPLIT_H
#define BOMP_TEAM_SPLIT_H

struct bomp_team;
struct bomp_member;

/* For a region that is about to start, when its places are decided. */
void bomp_split_open(struct bomp_team *team);

/* For a member that starts, on its thread. */
void bomp_split_start(struct bomp_member *member);

/* When a team goes. */
void bomp_split_destroy(struct bomp_team *team);

#endif
