//! A page that needs no other file.
use super::block::Block;
use super::section::Section;
use super::{Cell, LabReport, Table};
use crate::claim::{Claim, ClaimVerdict};

const STYLE: &str = "\
body{font-family:Helvetica,Arial,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#111;line-height:1.45}\
h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2.5rem;border-bottom:1px solid #ccc;padding-bottom:.2rem}\
table{border-collapse:collapse;font-size:.85rem;margin:.6rem 0;display:block;overflow-x:auto}\
th,td{padding:.2rem .6rem;text-align:right;white-space:nowrap}th:first-child,td:first-child{text-align:left}\
thead th{border-bottom:1.5px solid #333}tbody tr:nth-child(even){background:#f6f6f6}\
.claims td{white-space:normal;text-align:left;vertical-align:top}.claims th{text-align:left}\
figure{margin:1rem 0}figcaption,caption{font-size:.85rem;color:#444;text-align:left;caption-side:bottom}\
svg{max-width:100%;height:auto}.holds{color:#00664b}.not{color:#a33c00}.small{color:#666;font-size:.85rem}";

pub(super) fn page(report: &LabReport) -> String {
    let mut body = String::from("<h1>Arbora: the experiments of the papers</h1>\n<ul class=\"small\">\n");
    for section in report.sections() {
        let (name, title, extent) = (section.name, escape(section.title), section.extent());
        let words = if section.runs.0 == 0 { "no runs".to_owned() } else { extent };
        body += &format!("<li><a href=\"#{name}\">{}</a> {title}: {words}</li>\n", name.to_uppercase());
    }
    body += "</ul>\n";
    report.sections().iter().filter(|s| has_content(s)).for_each(|section| body += &one(section));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>Arbora: experiments</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

fn has_content(section: &Section) -> bool {
    section.runs.0 > 0 || !section.blocks.is_empty()
}

fn one(section: &Section) -> String {
    let Section { name, title, source, blocks, claims, .. } = section;
    let (upper, title, source) = (name.to_uppercase(), escape(title), escape(source));
    let mut text = format!(
        "<h2 id=\"{name}\">{upper}: {title}</h2>\n<p class=\"small\">{source}; {}</p>\n",
        section.extent()
    );
    if !claims.is_empty() {
        text += &self::claims(claims);
    }
    for block in blocks {
        text += &match block {
            Block::Table(one) => table(one),
            Block::Figure(figure) => {
                let caption = escape(&figure.caption);
                format!(
                    "<figure id=\"{}\">\n{}<figcaption>{caption}</figcaption>\n</figure>\n",
                    figure.name, figure.svg
                )
            }
            Block::Words(words) => format!("<p>{}</p>\n", escape(words)),
        };
    }
    text
}

fn claims(claims: &[Claim]) -> String {
    let mut rows = String::new();
    for claim in claims {
        let class = match claim.verdict {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::DoesNotHold => "not",
            ClaimVerdict::Undecided | ClaimVerdict::NotRun => "small",
        };
        let [says, paper, ours] = [&claim.says, &claim.paper, &claim.ours].map(|text| escape(text));
        let verdict = claim.verdict.words();
        rows += &format!(
            "<tr><td>{says}</td><td>{paper}</td><td>{ours}</td><td class=\"{class}\">{verdict}</td></tr>\n"
        );
    }
    format!(
        "<table class=\"claims\">\n<thead><tr><th>the paper says</th><th>its figures</th><th>ours</th><th></th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n"
    )
}

fn table(table: &Table) -> String {
    let header: String = table.header.iter().map(|name| format!("<th>{}</th>", escape(name))).collect();
    let row = |cells: &Vec<Cell>| format!("<tr>{}</tr>\n", cells.iter().map(cell).collect::<String>());
    let rows: String = table.rows.iter().map(row).collect();
    let caption = escape(&table.caption);
    format!(
        "<table>\n<caption>{caption}</caption>\n<thead><tr>{header}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    )
}

fn cell(cell: &Cell) -> String {
    let text = escape(&cell.text);
    let text = if cell.is_best { format!("<b>{text}</b>") } else { text };
    let text = if cell.is_worse { format!("<u>{text}</u>") } else { text };
    format!("<td>{text}</td>")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
