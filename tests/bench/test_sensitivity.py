"""sensitivity.py: a changed constant is found where it is defined, and rows are compared round by round."""
import unittest

import sensitivity


class Sensitivity(unittest.TestCase):
    def test_a_constant_is_changed_where_it_is_defined(self):
        header, text = sensitivity.changed("BZ_POLLS", 0.5)
        self.assertEqual(header, "src/wait/policy.h")
        self.assertIn("\n#define BZ_POLLS 8\n", text)
        self.assertEqual(sensitivity.changed("BZ_MEETINGS", 2)[0], "src/wait/placement.h")

    def test_the_least_value_is_one(self):
        self.assertIn("\n#define BZ_TURN_PAUSES 1\n", sensitivity.changed("BZ_TURN_PAUSES", 0.1)[1])

    def test_what_is_not_defined_ends_it(self):
        with self.assertRaisesRegex(SystemExit, "BZ_NOTHING"):
            sensitivity.changed("BZ_NOTHING", 2)

    def test_ratios_are_of_one_round(self):
        rounds = [{"unchanged": {"a": 1.0, "b": 5.0}, "x": {"a": 2.0}}, {"unchanged": {"a": 10.0}, "x": {"a": 20.0}}]
        self.assertEqual(sensitivity.ratios(rounds), {("x", "a"): 2.0})


if __name__ == "__main__":
    unittest.main()
