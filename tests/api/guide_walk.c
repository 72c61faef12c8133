#include <blitz.h>
#include <stdio.h>
#include <stdlib.h>

/* An unbalanced tree: the size of a subtree is unknown. */
struct node {
    long value;
    struct node *left, *right;
};

static struct node *plant(long count) {
    if (count == 0)
        return NULL;
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->value = count;
    node->left = plant((count - 1) / 3);
    node->right = plant(count - 1 - (count - 1) / 3);
    return node;
}

/* Argument of a task: its input and its result. */
struct walk {
    const struct node *from;
    long sum;
};

static void walk(void *arg) {
    struct walk *task = arg;
    task->sum = 0;
    if (!task->from)
        return;
    struct walk left = {task->from->left, 0}, right = {task->from->right, 0};
    blitz_join(walk, &left, walk, &right); /* both are done when it returns */
    task->sum = task->from->value + left.sum + right.sum;
}

static void fell(struct node *node) {
    if (!node)
        return;
    fell(node->left);
    fell(node->right);
    free(node);
}

int main(void) {
    struct node *root = plant(100000);
    struct walk all = {root, 0};
    walk(&all);
    printf("%ld\n", all.sum);
    fell(root);
    return all.sum <= 0;
}
