/* config.h: what the test programs ask of the configuration that they believe to be part of. */
#define HAVE_PTHREAD_AFFINITY_NP 1
