/*
 * capture.h: standard error as a sequence of datagrams, for tests of messages: each write(2) arrives as one record.
 * Between capture_begin and capture_end nothing else may write there.
 */
#ifndef CAPTURE_H
#define CAPTURE_H

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct capture {
    int saved;  /* the real standard error */
    int reader; /* receives the records */
};

static inline void capture_begin(struct capture *c) {
    int ends[2];
    fflush(stderr);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        perror("socketpair");
        _exit(99);
    }
    c->saved = dup(STDERR_FILENO);
    c->reader = ends[0];
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
}

/* Copies the next record into `text` as a string, "" if no record is left. Returns its length. */
static inline size_t capture_next(struct capture *c, char *text, size_t size) {
    ssize_t length = recv(c->reader, text, size - 1, MSG_DONTWAIT);
    length = length < 0 ? 0 : length;
    text[length] = '\0';
    return (size_t)length;
}

static inline void capture_end(struct capture *c) {
    dup2(c->saved, STDERR_FILENO);
    close(c->saved);
    close(c->reader);
}

#endif
