/* config.h: the parts of libgomp's configuration that its test programs read. */
#define HAVE_PTHREAD_AFFINITY_NP 1
