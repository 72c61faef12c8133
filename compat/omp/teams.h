/* Leagues of teams, which the host runs one after the other. */
#ifndef BOMP_TEAMS_H
#define BOMP_TEAMS_H

/* The caller's team in its league, from 0, and the league's size: 0 and 1 outside of teams regions. Hot: generated code
 * calls them. */
int bomp_team_num(void);
int bomp_num_teams(void);

#endif
