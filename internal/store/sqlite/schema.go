package sqlite

// The layout of index.db. The tables are for ken alone and change with every
// schema number. The views nodes, edges and code_entities are for people and
// tools: they show files, their edges and declarations in words, with the column
// names that agents' own queries use, for example in the sqlite3 tool.
//
// Enumerations of package code are stored as integers in their declared order,
// paths byte for byte. The rowid of a symbol is made of its file's id and its place
// in the file, so that the symbols of one file are read from neighbouring pages.
const tables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- What the last look at the tree saw, packed by engine/scan: one row.
CREATE TABLE look (id INTEGER PRIMARY KEY CHECK (id = 1), data BLOB NOT NULL);
-- Listed paths that are no files to read: links, submodules, …
CREATE TABLE skips (path TEXT PRIMARY KEY, problem TEXT NOT NULL) WITHOUT ROWID;
-- Paths updated singly since then.
CREATE TABLE notes (path TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE TABLE files (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL, dir TEXT NOT NULL, slug TEXT NOT NULL,
  lang TEXT NOT NULL, flags INTEGER NOT NULL, class INTEGER NOT NULL, problem TEXT NOT NULL, hash BLOB NOT NULL,
  bytes INTEGER NOT NULL, mtime INTEGER NOT NULL, ctime INTEGER NOT NULL, inode INTEGER NOT NULL,
  lines INTEGER NOT NULL, cl100k INTEGER NOT NULL, o200k INTEGER NOT NULL,
  error_bytes INTEGER NOT NULL, branches INTEGER NOT NULL, package TEXT NOT NULL, doc TEXT NOT NULL,
  type TEXT NOT NULL, purpose TEXT, complexity TEXT,
  symbols INTEGER NOT NULL DEFAULT 0, refs INTEGER NOT NULL DEFAULT 0,
  imports INTEGER NOT NULL DEFAULT 0, unresolved INTEGER NOT NULL DEFAULT 0,
  dependents INTEGER NOT NULL DEFAULT 0, rank REAL NOT NULL DEFAULT 0, first_indexed INTEGER NOT NULL
);

CREATE TABLE configs (path TEXT PRIMARY KEY, base TEXT NOT NULL, content BLOB NOT NULL) WITHOUT ROWID;

CREATE TABLE symbols (
  id INTEGER PRIMARY KEY,          -- file id << 20 | place in the file
  name TEXT NOT NULL, container TEXT, kind INTEGER NOT NULL, parent INTEGER NOT NULL, exported INTEGER NOT NULL,
  start INTEGER NOT NULL, length INTEGER NOT NULL, name_start INTEGER NOT NULL,
  line INTEGER NOT NULL, lines INTEGER NOT NULL, signature TEXT NOT NULL, uuid BLOB NOT NULL
);

-- Packed by engine/facts and engine/graph.
CREATE TABLE facts (file_id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE links (file_id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE outlines (file_id INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- How many declarations have a name, how many files use it, and which: packed (names.go).
CREATE TABLE names (name TEXT PRIMARY KEY, defs INTEGER NOT NULL, files INTEGER NOT NULL, uses BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE probes (key INTEGER, file_id INTEGER, PRIMARY KEY (key, file_id)) WITHOUT ROWID;
CREATE TABLE file_edges (
  source INTEGER, target INTEGER, relation INTEGER, confidence INTEGER NOT NULL,
  PRIMARY KEY (source, target, relation)
) WITHOUT ROWID;
-- One name can be of a standard library in one language and not in another.
CREATE TABLE packages (name TEXT, std INTEGER, files INTEGER NOT NULL, PRIMARY KEY (name, std)) WITHOUT ROWID;
-- Credentials found, without their values: rule, place and a hash keyed by .ken/salt. One of line 0 is part of the path.
CREATE TABLE findings (
  file_id INTEGER, start INTEGER, length INTEGER NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL,
  rule TEXT NOT NULL, hash BLOB NOT NULL, noted INTEGER NOT NULL, copied INTEGER NOT NULL, PRIMARY KEY (file_id, start, line)
) WITHOUT ROWID;
-- The search index, packed by engine/search: postings of the last base in buckets,
-- and the documents of files that changed since.
CREATE TABLE search_head (id INTEGER PRIMARY KEY CHECK (id = 1), data BLOB NOT NULL);
CREATE TABLE search_buckets (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE search_fresh (file_id INTEGER PRIMARY KEY, data BLOB NOT NULL);
-- Sums over files that single answers need: one row.
CREATE TABLE sums (id INTEGER PRIMARY KEY CHECK (id = 1), imports INTEGER NOT NULL, unresolved INTEGER NOT NULL);
INSERT INTO sums VALUES (1, 0, 0);
`

// tableScript makes all tables of the index.
const tableScript = tables + exactTables + historyTables

// symbolIndex and indexes make the SQL indexes. They run after a bulk load, because
// sorting all rows once is cheaper than keeping them in order.
const symbolIndex = `
CREATE INDEX symbols_name ON symbols (name);
`

const indexes = `
CREATE UNIQUE INDEX files_path ON files (path);
CREATE INDEX files_dir ON files (dir);
CREATE INDEX files_slug ON files (slug);
CREATE INDEX files_package ON files (package, lang);
CREATE INDEX files_lang ON files (lang, problem, bytes); -- so that counting by language reads no file's row
CREATE INDEX files_problem ON files (problem, path) WHERE problem <> '';
CREATE INDEX files_documents ON files (path, class) WHERE class&4<>0; -- 4 is code.ClassDocument
CREATE INDEX files_dependents ON files (dependents DESC, path);
CREATE INDEX file_edges_target ON file_edges (target, source, relation, confidence);
CREATE INDEX configs_base ON configs (base);
`

// views is the SQL that makes the views, which are for people and tools. They show stored integers as the words that answers use.
const views = `
CREATE VIEW nodes AS
SELECT f.slug AS id, f.path AS path, coalesce(p.type, f.type) AS type, coalesce(p.purpose, f.purpose) AS purpose, f.lines AS lines, f.complexity AS complexity,
       strftime('%Y-%m-%d', f.mtime / 1000000000, 'unixepoch') AS updated, coalesce(p.status, 'active') AS status,
       f.lang AS language, f.dependents AS dependents, f.rank AS rank, coalesce(p.entity, 'missing') AS entityStatus
FROM files f LEFT JOIN (
  SELECT json_extract(value, '$.path') AS path, json_extract(value, '$.type') AS type, json_extract(value, '$.purpose') AS purpose, json_extract(value, '$.status') AS status, json_extract(value, '$.entity') AS entity
  FROM json_each((SELECT nullif(value, '') FROM meta WHERE key = 'pages'))) p ON p.path = f.path
WHERE f.problem NOT IN ('binary', 'unreadable');

CREATE VIEW edges AS
SELECT s.slug AS source, t.slug AS target,
       CASE e.relation WHEN 0 THEN 'imports' WHEN 1 THEN 'extends' WHEN 2 THEN 'implements' WHEN 3 THEN 'tests' WHEN 5 THEN 'mentions' WHEN 6 THEN 'generated_from' ELSE 'uses' END AS relationship,
       CASE e.confidence WHEN 3 THEN 'exact' WHEN 2 THEN 'import-resolved' WHEN 1 THEN 'unique-name' ELSE 'ambiguous' END AS confidence
FROM file_edges e JOIN files s ON s.id = e.source JOIN files t ON t.id = e.target;

CREATE VIEW code_entities AS
SELECT lower(substr(hex(y.uuid), 1, 8) || '-' || substr(hex(y.uuid), 9, 4) || '-' || substr(hex(y.uuid), 13, 4) || '-' ||
             substr(hex(y.uuid), 17, 4) || '-' || substr(hex(y.uuid), 21)) AS id,
       NULL AS origin_task_id, f.path AS file_path,
       CASE WHEN y.kind IN (1, 2, 3, 15) THEN 'function' WHEN y.kind IN (4, 5, 16, 17) THEN 'class' WHEN y.kind IN (6, 7, 18) THEN 'interface'
            WHEN y.kind IN (8, 9, 19, 20) THEN 'type' ELSE 'variable' END AS entity_type,
       y.name AS name, y.signature AS signature, y.line AS line_start, y.line + y.lines AS line_end,
       coalesce(n.files / (n.files + 10.0), 0.0) AS relevance_score,
       strftime('%Y-%m-%dT%H:%M:%SZ', f.mtime / 1000000000, 'unixepoch') AS created_at,
       strftime('%Y-%m-%dT%H:%M:%SZ', f.mtime / 1000000000, 'unixepoch') AS updated_at
FROM symbols y JOIN files f ON f.id = y.id >> 20 LEFT JOIN names n ON n.name = y.name;
`
