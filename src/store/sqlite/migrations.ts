/**
 * The schema, as the numbered steps that lead to it. A step that was released is never changed: add the next one.
 *
 * Numbers are REAL, counts too: a whole REAL takes no more room than an INTEGER, and no value of ours is out of range.
 */
export type Migration = {
  readonly name: string;
  readonly sql: string;
  /** Runs get their checksums once all steps are done: what is in them is taken as it is. */
  readonly checksums?: true;
  /** Which revisions are current has to be worked out anew. */
  readonly derive?: true;
  /** The sums over sessions are worked out anew. */
  readonly sums?: true;
  /** Sessions are moved to their new rows once all steps are done (move-sessions.ts). */
  readonly moves?: true;
};

/** The first is number 1. */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: 'runs',
    sql: `
      CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        run_id TEXT NOT NULL UNIQUE,
        instrument TEXT NOT NULL,
        subject TEXT NOT NULL,
        at TEXT NOT NULL,
        scorer TEXT NOT NULL,
        truth_hash TEXT,
        verdict TEXT NOT NULL,
        case_count INTEGER NOT NULL,
        content_hash TEXT NOT NULL
      ) STRICT;
      CREATE INDEX run_by_time ON run (at, run_id);
      CREATE INDEX run_by_instrument ON run (instrument, at, run_id);
      CREATE INDEX run_by_subject ON run (subject, at, run_id);
      CREATE INDEX run_by_truth ON run (truth_hash, at, run_id) WHERE truth_hash IS NOT NULL;

      CREATE TABLE run_case (
        run INTEGER NOT NULL,
        case_no INTEGER NOT NULL,
        case_id TEXT NOT NULL,
        zone TEXT,
        error TEXT,
        evidence TEXT,
        PRIMARY KEY (run, case_no)
      ) STRICT;

      -- case_no 0 is the run as a whole. Either a value or the reason why there is none.
      CREATE TABLE measurement (
        run INTEGER NOT NULL,
        case_no INTEGER NOT NULL,
        metric TEXT NOT NULL,
        value REAL,
        low REAL,
        high REAL,
        n REAL,
        pooled REAL,
        coverage REAL,
        skipped TEXT,
        reason TEXT,
        PRIMARY KEY (run, case_no, metric),
        CHECK ((value IS NULL) <> (reason IS NULL)),
        CHECK ((value IS NULL) = (n IS NULL))
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'sessions',
    sql: `
      CREATE TABLE session (
        session_id TEXT NOT NULL,
        revision TEXT NOT NULL,
        scored_at TEXT NOT NULL,
        parent_session_id TEXT,
        source TEXT NOT NULL,
        agent TEXT,
        task_type TEXT NOT NULL,
        model TEXT,
        started_at TEXT,
        ended_at TEXT,
        q REAL,
        tier TEXT,
        special_case TEXT,
        completion REAL,
        execution REAL,
        efficiency REAL,
        outcome REAL,
        coverage REAL NOT NULL,
        input_tokens REAL,
        output_tokens REAL,
        cache_read_tokens REAL,
        cache_write_tokens REAL,
        turns REAL,
        tool_calls REAL,
        tool_errors REAL,
        compactions REAL,
        cost_usd REAL,
        roi REAL,
        runs REAL NOT NULL,
        skipped_lines REAL NOT NULL,
        scorer_version TEXT NOT NULL,
        baseline_set TEXT,
        facts TEXT NOT NULL,
        PRIMARY KEY (session_id, revision)
      ) STRICT;
      -- Answers "is there a later revision?" without touching the table.
      CREATE INDEX session_by_scoring ON session (session_id, scored_at, revision);
      CREATE INDEX session_by_start ON session (started_at, session_id);
    `,
  },
  {
    name: 'ratings, approvals, alerts',
    sql: `
      CREATE TABLE rating (
        rating_id TEXT NOT NULL PRIMARY KEY,
        kind TEXT NOT NULL,
        subject_id TEXT NOT NULL,
        author TEXT NOT NULL,
        rating REAL NOT NULL,
        note TEXT,
        at TEXT NOT NULL,
        content_hash TEXT NOT NULL
      ) STRICT;
      CREATE INDEX rating_by_time ON rating (at, rating_id);
      CREATE INDEX rating_by_subject ON rating (subject_id, at, rating_id);

      CREATE TABLE approval (
        approval_id TEXT NOT NULL PRIMARY KEY,
        instrument TEXT NOT NULL,
        run_id TEXT NOT NULL,
        baseline_run_id TEXT NOT NULL,
        metric TEXT NOT NULL,
        reason TEXT NOT NULL,
        who TEXT NOT NULL,
        at TEXT NOT NULL,
        content_hash TEXT NOT NULL
      ) STRICT;
      CREATE INDEX approval_by_time ON approval (at, approval_id);
      CREATE INDEX approval_by_run ON approval (run_id, at, approval_id);

      CREATE TABLE alert (
        alert_id TEXT NOT NULL PRIMARY KEY,
        instrument TEXT NOT NULL,
        severity TEXT NOT NULL,
        rule TEXT NOT NULL,
        subject TEXT NOT NULL,
        message TEXT NOT NULL,
        at TEXT NOT NULL,
        content_hash TEXT NOT NULL
      ) STRICT;
      CREATE INDEX alert_by_time ON alert (at, alert_id);
      CREATE INDEX alert_by_instrument ON alert (instrument, at, alert_id);
    `,
  },
  { name: 'project of a session', sql: 'ALTER TABLE session ADD COLUMN project TEXT' },
  {
    name: 'current sessions and their sums',
    derive: true,
    sql: `
      ALTER TABLE session ADD COLUMN current INTEGER NOT NULL DEFAULT 0;
      DROP INDEX session_by_scoring;
      DROP INDEX session_by_start;
      -- What lists are narrowed by is in the index, so that rows which do not fit are never touched.
      CREATE INDEX session_by_start ON session (
        started_at, session_id, q, tier, task_type, model, agent, project, source
      ) WHERE current = 1;
      CREATE INDEX session_by_project ON session (project, started_at, session_id)
        WHERE current = 1 AND project IS NOT NULL;
      CREATE INDEX session_by_q ON session (q, session_id) WHERE current = 1 AND q IS NOT NULL;

      -- What the sessions of a cell have in common; key is the same as JSON, because NULL equals nothing.
      CREATE TABLE session_group (
        id INTEGER PRIMARY KEY,
        cube INTEGER NOT NULL,
        key TEXT NOT NULL,
        task_type TEXT,
        model TEXT,
        agent TEXT,
        project TEXT,
        source TEXT,
        UNIQUE (cube, key)
      ) STRICT;
      -- cube: which dimensions and which length of time (session-cubes.ts); sums: packed (cell-pack.ts).
      CREATE TABLE session_cell (
        cube INTEGER NOT NULL,
        bucket INTEGER NOT NULL,
        cell_group INTEGER NOT NULL,
        sums TEXT NOT NULL,
        PRIMARY KEY (cube, bucket, cell_group)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'events of alerts, feedback',
    sql: `
      CREATE TABLE alert_event (
        event_id TEXT NOT NULL PRIMARY KEY,
        alert_id TEXT NOT NULL,
        state TEXT NOT NULL,
        until TEXT,
        who TEXT NOT NULL,
        why TEXT,
        at TEXT NOT NULL,
        content_hash TEXT NOT NULL
      ) STRICT;
      CREATE INDEX alert_event_by_time ON alert_event (at, event_id);
      CREATE INDEX alert_event_by_alert ON alert_event (alert_id, at, event_id);

      CREATE TABLE feedback (
        feedback_id TEXT NOT NULL PRIMARY KEY,
        instrument TEXT NOT NULL,
        output_id TEXT NOT NULL,
        item TEXT,
        run_id TEXT,
        thumb TEXT,
        score REAL,
        comment TEXT,
        author TEXT NOT NULL,
        at TEXT NOT NULL,
        content_hash TEXT NOT NULL
      ) STRICT;
      CREATE INDEX feedback_by_time ON feedback (at, feedback_id);
      CREATE INDEX feedback_by_output ON feedback (output_id, at, feedback_id);
    `,
  },
  { name: 'what a run was judged on', sql: 'ALTER TABLE run ADD COLUMN judgement TEXT' },
  {
    name: 'what a run says beside its numbers',
    sql: `
      ALTER TABLE run ADD COLUMN facts TEXT;
      ALTER TABLE run_case ADD COLUMN baseline TEXT;
      ALTER TABLE measurement ADD COLUMN spread REAL;
    `,
  },
  {
    // Rows of several sessions with one id are told apart again by the file that each was read from.
    name: 'keys of sessions',
    derive: true,
    sql: `
      ALTER TABLE session RENAME TO session_by_id;
      CREATE TABLE session (
        session_key TEXT NOT NULL,
        session_id TEXT NOT NULL,
        revision TEXT NOT NULL,
        scored_at TEXT NOT NULL,
        parent_session_id TEXT,
        source TEXT NOT NULL,
        agent TEXT,
        task_type TEXT NOT NULL,
        model TEXT,
        started_at TEXT,
        ended_at TEXT,
        q REAL,
        tier TEXT,
        special_case TEXT,
        completion REAL,
        execution REAL,
        efficiency REAL,
        outcome REAL,
        coverage REAL NOT NULL,
        input_tokens REAL,
        output_tokens REAL,
        cache_read_tokens REAL,
        cache_write_tokens REAL,
        turns REAL,
        tool_calls REAL,
        tool_errors REAL,
        compactions REAL,
        cost_usd REAL,
        roi REAL,
        runs REAL NOT NULL,
        skipped_lines REAL NOT NULL,
        scorer_version TEXT NOT NULL,
        baseline_set TEXT,
        facts TEXT NOT NULL,
        project TEXT,
        current INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (session_key, revision)
      ) STRICT;
      INSERT INTO session SELECT
        session_key(source, CASE WHEN json_valid(facts) THEN json_extract(facts, '$.file.path') END, session_id),
        session_id, revision, scored_at, parent_session_id, source, agent, task_type, model, started_at,
        ended_at, q, tier, special_case, completion, execution, efficiency, outcome, coverage,
        input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, turns, tool_calls, tool_errors,
        compactions, cost_usd, roi, runs, skipped_lines, scorer_version, baseline_set, facts, project,
        current
      FROM session_by_id;
      DROP TABLE session_by_id;
      CREATE INDEX session_by_start ON session (
        started_at, session_key, q, tier, task_type, model, agent, project, source
      ) WHERE current = 1;
      CREATE INDEX session_by_project ON session (project, started_at, session_key)
        WHERE current = 1 AND project IS NOT NULL;
      CREATE INDEX session_by_q ON session (q, session_key) WHERE current = 1 AND q IS NOT NULL;
    `,
  },
  {
    name: 'checksums',
    checksums: true,
    sql: `
      ALTER TABLE session ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE session ADD COLUMN facts_checksum INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE session_cell ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE run ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE measurement ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    `,
  },
  // The cells that were kept before have no place for them.
  { name: 'sums of tiers that nothing proves', sql: 'DELETE FROM session_cell' },
  {
    // Facts take a quarter of the room; what a session was scored with is known of every row that is scored from now on.
    name: 'packed facts, and what sessions were scored with',
    sql: `
      ALTER TABLE session RENAME TO session_in_text;
      CREATE TABLE session (
        session_key TEXT NOT NULL,
        session_id TEXT NOT NULL,
        revision TEXT NOT NULL,
        scored_at TEXT NOT NULL,
        parent_session_id TEXT,
        source TEXT NOT NULL,
        agent TEXT,
        task_type TEXT NOT NULL,
        model TEXT,
        started_at TEXT,
        ended_at TEXT,
        q REAL,
        tier TEXT,
        special_case TEXT,
        completion REAL,
        execution REAL,
        efficiency REAL,
        outcome REAL,
        coverage REAL NOT NULL,
        input_tokens REAL,
        output_tokens REAL,
        cache_read_tokens REAL,
        cache_write_tokens REAL,
        turns REAL,
        tool_calls REAL,
        tool_errors REAL,
        compactions REAL,
        cost_usd REAL,
        roi REAL,
        runs REAL NOT NULL,
        skipped_lines REAL NOT NULL,
        scorer_version TEXT NOT NULL,
        baseline_set TEXT,
        facts BLOB NOT NULL,
        project TEXT,
        current INTEGER NOT NULL DEFAULT 0,
        checksum INTEGER NOT NULL DEFAULT 0,
        facts_checksum INTEGER NOT NULL DEFAULT 0,
        weights TEXT,
        prices TEXT,
        cost_at_least REAL,
        PRIMARY KEY (session_key, revision)
      ) STRICT;
      INSERT INTO session (
        session_key, session_id, revision, scored_at, parent_session_id, source, agent, task_type, model,
        started_at, ended_at, q, tier, special_case, completion, execution, efficiency, outcome, coverage,
        input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, turns, tool_calls, tool_errors,
        compactions, cost_usd, roi, runs, skipped_lines, scorer_version, baseline_set, facts, project,
        current, checksum, facts_checksum
      ) SELECT
        session_key, session_id, revision, scored_at, parent_session_id, source, agent, task_type, model,
        started_at, ended_at, q, tier, special_case, completion, execution, efficiency, outcome, coverage,
        input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, turns, tool_calls, tool_errors,
        compactions, cost_usd, roi, runs, skipped_lines, scorer_version, baseline_set, pack_facts(facts), project,
        current, checksum, facts_checksum
      FROM session_in_text;
      DROP TABLE session_in_text;
      CREATE INDEX session_by_start ON session (
        started_at, session_key, q, tier, task_type, model, agent, project, source
      ) WHERE current = 1;
      CREATE INDEX session_by_project ON session (project, started_at, session_key)
        WHERE current = 1 AND project IS NOT NULL;
      CREATE INDEX session_by_q ON session (q, session_key) WHERE current = 1 AND q IS NOT NULL;
      CREATE INDEX session_with_skips ON session (started_at, session_key) WHERE current = 1 AND skipped_lines > 0;
    `,
  },
  {
    name: 'sessions of which no revision is shown',
    sql: `
      CREATE INDEX session_hidden ON session (session_key) WHERE current <> 1;
    `,
  },
  {
    // Names, times and what questions are not asked by take a third of the room; sums have other dimensions.
    name: 'small rows of sessions',
    moves: true,
    sql: `
      DROP INDEX session_by_start;
      DROP INDEX session_by_project;
      DROP INDEX session_by_q;
      DROP INDEX session_with_skips;
      DROP INDEX session_hidden;
      ALTER TABLE session RENAME TO session_before;
      DROP TABLE session_cell;
      DROP TABLE session_group;

      -- kind 0: a label as JSON, 1: a project (session-names.ts). A number is never given again.
      CREATE TABLE session_name (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind INTEGER NOT NULL,
        names TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        UNIQUE (kind, names)
      ) STRICT;
      -- Times in milliseconds since 1970; a revision that is a hash is its bytes; rest and facts: packed (packed-format.ts).
      CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        session_key TEXT NOT NULL,
        revision ANY NOT NULL,
        scored_at INTEGER NOT NULL,
        started_at INTEGER,
        label INTEGER NOT NULL,
        project INTEGER,
        q REAL,
        cost_usd REAL,
        coverage REAL NOT NULL,
        skipped_lines REAL NOT NULL,
        concern REAL,
        current INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        facts_checksum INTEGER NOT NULL,
        rest BLOB NOT NULL,
        facts BLOB NOT NULL
      ) STRICT;
      CREATE INDEX session_by_key ON session (session_key, current);
      -- What lists are narrowed by is in the index, so that rows which do not fit are never touched.
      CREATE INDEX session_by_start ON session (started_at, label, project) WHERE current = 1;
      CREATE INDEX session_by_project ON session (project, started_at, label)
        WHERE current = 1 AND project IS NOT NULL;
      CREATE INDEX session_by_label ON session (label, started_at) WHERE current = 1;
      CREATE INDEX session_by_q ON session (q, started_at, label, project) WHERE current = 1 AND q IS NOT NULL;
      CREATE INDEX session_by_cost ON session (cost_usd, started_at, label, project)
        WHERE current = 1 AND cost_usd IS NOT NULL;
      CREATE INDEX session_by_concern ON session (concern, coalesce(cost_usd, 0), started_at, label, project)
        WHERE current = 1 AND concern > 0 AND q IS NOT NULL;
      CREATE INDEX session_with_skips ON session (started_at, session_key) WHERE current = 1 AND skipped_lines > 0;
      CREATE INDEX session_hidden ON session (session_key) WHERE current <> 1;

      -- What the sessions of a cell have in common, as JSON in the order of the dimensions.
      CREATE TABLE session_group (
        id INTEGER PRIMARY KEY,
        cube INTEGER NOT NULL,
        key TEXT NOT NULL,
        project TEXT,
        checksum INTEGER NOT NULL,
        UNIQUE (cube, key)
      ) STRICT;
      -- cube: which dimensions and which length of time (session-cubes.ts); sums: packed (cell-pack.ts).
      CREATE TABLE session_cell (
        cube INTEGER NOT NULL,
        bucket INTEGER NOT NULL,
        cell_group INTEGER NOT NULL,
        sums TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (cube, bucket, cell_group)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  // The cells that were kept before have no place for them.
  { name: 'sums of turns, and by task type and project', sums: true, sql: 'DELETE FROM session_cell' },
  { name: 'sums by agent and by model, and by hour', sums: true, sql: 'DELETE FROM session_cell' },
  {
    // Their ids are packed: session-links.ts. What a row has first is its id, and then that of the session that started it.
    name: 'sessions by their id, and by that of the one that started them',
    sql: `
      CREATE TABLE session_link (
        kind INTEGER NOT NULL,
        hash INTEGER NOT NULL,
        session INTEGER NOT NULL,
        PRIMARY KEY (kind, hash, session)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO session_link SELECT kind, hash, session FROM (
        SELECT 0 AS kind, link_hash(rest, 0) AS hash, id AS session FROM session
        UNION ALL SELECT 1, link_hash(rest, 1), id FROM session
      ) WHERE hash IS NOT NULL;
    `,
  },
  {
    name: 'what is to be told elsewhere',
    sql: `
      CREATE TABLE delivery (
        delivery_id TEXT PRIMARY KEY,
        target TEXT NOT NULL,
        body TEXT NOT NULL,
        at TEXT NOT NULL,
        content_hash TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX delivery_by_time ON delivery (at, delivery_id);

      CREATE TABLE delivery_attempt (
        attempt_id TEXT PRIMARY KEY,
        delivery_id TEXT NOT NULL,
        outcome TEXT NOT NULL,
        why TEXT,
        at TEXT NOT NULL,
        content_hash TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX delivery_attempt_by_delivery ON delivery_attempt (delivery_id, at);
    `,
  },
  {
    // Ties of an order are read from its index, too: of sessions with the same Q there may be very many.
    name: 'sessions by their turns, and ties by their start',
    sql: `
      ALTER TABLE session ADD COLUMN turns REAL;
      UPDATE session SET turns = turns_in(rest);
      CREATE INDEX session_by_turns ON session (turns, started_at, label, project)
        WHERE current = 1 AND turns IS NOT NULL;
      DROP INDEX session_by_q;
      CREATE INDEX session_by_q ON session (q, started_at DESC, label, project)
        WHERE current = 1 AND q IS NOT NULL;
    `,
  },
  {
    // JSON: confidence, predicates, sample, quotes, unmentioned, experiment; of a cell its sums.
    name: 'decompositions in production, and their sums',
    sql: `
      CREATE TABLE decomposition (
        id TEXT PRIMARY KEY,
        at TEXT NOT NULL,
        status TEXT NOT NULL,
        error_kind TEXT,
        latency_ms REAL,
        cost_usd REAL,
        input_tokens REAL,
        output_tokens REAL,
        model TEXT,
        prompt_version TEXT,
        topic TEXT,
        text_hash TEXT,
        text_length REAL,
        concepts REAL,
        relationships REAL,
        confidence TEXT,
        predicates TEXT,
        sample TEXT,
        quotes TEXT,
        unmentioned TEXT,
        experiment TEXT,
        content_hash TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX decomposition_by_time ON decomposition (at, id);
      CREATE INDEX decomposition_sampled ON decomposition (at, id) WHERE sample IS NOT NULL;
      CREATE INDEX decomposition_of_experiment ON decomposition (experiment ->> '$.id', at, id)
        WHERE experiment IS NOT NULL;
      CREATE INDEX decomposition_failed ON decomposition (at, id) WHERE status = 'error';

      CREATE TABLE decomposition_text (
        id TEXT PRIMARY KEY,
        at TEXT NOT NULL,
        text TEXT NOT NULL,
        output TEXT,
        content_hash TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX decomposition_text_by_time ON decomposition_text (at, id);

      CREATE TABLE production_cell (
        grain TEXT NOT NULL,
        at TEXT NOT NULL,
        prompt_version TEXT NOT NULL,
        model TEXT NOT NULL,
        sums TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (grain, at, prompt_version, model)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    // A number of a group is never given again, so that what was read of it once is remembered.
    name: 'sums without other models, and by project and quarter of a day',
    sums: true,
    sql: `
      DELETE FROM session_cell;
      DROP TABLE session_group;
      CREATE TABLE session_group (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        cube INTEGER NOT NULL,
        key TEXT NOT NULL,
        project TEXT,
        checksum INTEGER NOT NULL,
        UNIQUE (cube, key)
      ) STRICT;
    `,
  },
  {
    // Their sums by hour and day stay: one that is sent again would be counted in them again.
    name: 'up to when requests of production are gone',
    sql: `
      CREATE TABLE production_pruned (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        before TEXT NOT NULL
      ) STRICT;
    `,
  },
  {
    // What the store remembers of its own upkeep: when what was deleted last.
    name: 'notes of upkeep',
    sql: `
      CREATE TABLE store_note (
        name TEXT PRIMARY KEY,
        at TEXT NOT NULL,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    // A cell is of one project; those from before are of none, whose name is empty. Scorings are counted by project, too.
    name: 'whose records are',
    sums: true,
    sql: `
      ALTER TABLE run ADD COLUMN project TEXT;
      ALTER TABLE rating ADD COLUMN project TEXT;
      ALTER TABLE approval ADD COLUMN project TEXT;
      ALTER TABLE alert ADD COLUMN project TEXT;
      ALTER TABLE alert_event ADD COLUMN project TEXT;
      ALTER TABLE feedback ADD COLUMN project TEXT;
      ALTER TABLE delivery ADD COLUMN project TEXT;
      ALTER TABLE decomposition ADD COLUMN project TEXT;

      ALTER TABLE production_cell RENAME TO production_cell_of_all;
      CREATE TABLE production_cell (
        grain TEXT NOT NULL,
        at TEXT NOT NULL,
        prompt_version TEXT NOT NULL,
        model TEXT NOT NULL,
        project TEXT NOT NULL,
        sums TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (grain, at, prompt_version, model, project)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO production_cell
        SELECT grain, at, prompt_version, model, '', sums, checksum FROM production_cell_of_all;
      DROP TABLE production_cell_of_all;
    `,
  },
  {
    name: 'who did what',
    sql: `
      CREATE TABLE audit (
        audit_id TEXT PRIMARY KEY,
        at TEXT NOT NULL,
        who TEXT NOT NULL,
        token_id TEXT,
        origin TEXT NOT NULL,
        what TEXT NOT NULL,
        target TEXT,
        outcome TEXT NOT NULL,
        status REAL,
        times REAL NOT NULL,
        previous TEXT,
        previous_at TEXT,
        project TEXT,
        content_hash TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX audit_by_time ON audit (at, audit_id);
    `,
  },
];
