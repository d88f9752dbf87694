"""Numbers and tables as text."""


def percentile(numbers):
    """Median, nine tenths and maximum, such as `88/210/379`."""
    if not numbers:
        return "-"
    ordered = sorted(numbers)
    at = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.9)]
    return f"{at[0]}/{at[1]}/{ordered[-1]}"


def table(head, rows):
    """A Markdown table, aligned."""
    cells = [head, *rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)
