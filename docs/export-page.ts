/** The page of the tables of an export, from what declares them. */
import { EXPORT_KINDS } from '../src/operations/export/kinds.ts';
import type { ExportKind, ExportTable } from '../src/operations/export/table.ts';
import { NOTICE } from './notice.ts';

const HEAD = `# Export: the tables and their columns

    assay export                                      # everything, as Parquet, into assay-export/
    assay export numbers --as csv --kind sessions,runs --since 30d
    assay export --as jsonl --store clickhouse://db.example:8123/assay

\`assay export\` writes everything a store has into a folder, a file per table, as Parquet (\`--as parquet\`), CSV or JSON lines. \`--kind\`
takes some kinds only, \`--since\` and \`--until\` a period of the time that the kind names. It reads files and ClickHouse alike,
a page at a time: a million small sessions took 20 seconds and 346 MB as Parquet, 200,000 took 316 MB (two cores). A file has its name only when it is whole; one that was there before is replaced then.

[sql.md](sql.md) has questions to ask of it. In DuckDB a file is a table: \`SELECT avg(q) FROM 'assay-export/sessions.parquet'\`; in pandas it is
\`pandas.read_parquet('assay-export/sessions.parquet')\`.

| type | Parquet | CSV | JSON lines |
|---|---|---|---|
| text | \`BYTE_ARRAY\`, UTF-8 | an apostrophe before what a spreadsheet would run; line breaks and other signs that nobody sees as signs for them | string |
| number | \`DOUBLE\`, counts too | in full precision | number |
| time | \`INT64\`, \`TIMESTAMP_MILLIS\`, UTC | ISO 8601, UTC | the same, a string |
| flag | \`BOOLEAN\` | \`true\`, \`false\` | boolean |

- **Absent** is \`null\` in Parquet and JSON lines, and an empty field in CSV. What is unmeasured is absent, and never 0.
- **Stable**: tables and columns keep their names, types and order; new columns go to the end of a table, and each release names them in the
  changelog. Rows are in no order that can be relied on.
- **Left out**: texts of any kind (also the masked ones of sampled requests), the facts that sessions are scored from, the evidence of cases, and
  messages that are still to be delivered.

A session of which a row is damaged ends the export with an error that names it; nothing is left out in silence.
`;

export function exportPage(): string {
  return [NOTICE, '', HEAD, ...EXPORT_KINDS.flatMap(kindLines)].join('\n');
}

function kindLines(kind: ExportKind): string[] {
  return kind.tables.flatMap((table) => tableLines(kind, table));
}

function tableLines({ kind, time }: ExportKind, { name, doc, key, columns }: ExportTable): string[] {
  return [
    `## ${name}`,
    '',
    `${doc} Kind: \`${kind}\`; a period is one of its \`${time}\`. Key: ${key.map((one) => `\`${one}\``).join(', ')}.`,
    '',
    '| column | type | absent | what it is |',
    '|---|---|---|---|',
    ...columns.map(
      (column) =>
        `| \`${column.key}\` | ${column.type} | ${column.required ? 'never' : 'may be'} | ${column.doc.replaceAll('|', '\\|')} |`,
    ),
    '',
  ];
}
