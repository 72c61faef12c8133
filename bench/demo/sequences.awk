# Prints N protein sequences that descend from one ancestor of RESIDUES residues, in FASTA format. The same numbers give
# the same text on every machine and awk: the generator stays within exact integers.
#   awk -v n=300 -v residues=300 -f sequences.awk
function below(limit)
{
    state = (state * 16807) % 2147483647
    return int(state / 2147483647 * limit)
}

function residue()
{
    return substr("ACDEFGHIKLMNPQRSTVWY", 1 + below(20), 1)
}

BEGIN {
    state = 20260101
    for (i = 0; i < residues; i++)
        ancestor[i] = residue()
    for (k = 1; k <= n; k++) {
        line = ""
        for (i = 0; i < residues; i++) {
            chance = below(100)
            if (chance < 8)
                continue # lost
            if (chance < 13)
                line = line residue() # one more before it
            line = line (chance < 45 ? residue() : ancestor[i])
        }
        printf ">sequence_%d\n%s\n", k, line
    }
}
