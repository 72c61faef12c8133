/* Sections, numbered from 1, that members take in order. */
#ifndef BOMP_SECTIONS_H
#define BOMP_SECTIONS_H

#include "omp/team/team_data.h"

void bomp_sections_meet(struct bomp_member *self, unsigned count);

/* The next section; 0: no more. `site`: the place in the program. */
unsigned bomp_sections_take(struct bomp_member *self, const void *site);

/* Before the start of the region: all members find the sections begun. */
void bomp_sections_install(struct bomp_team *team, unsigned count);

#endif
