#!/usr/bin/env bash
# postgres.js 3.4.9 leaves holes in a result if the query before it, on the same connection, failed after its first rows:
# the counter of rows is only reset when a query completes (src/connection.js, DataRow and CommandComplete; issue
# porsager/postgres 1181, open). `length` is too large, `count` right, and no error is reported.
# Takes a server: POSTGRES_URL, by default postgres://postgres@127.0.0.1:5432/postgres. Exits non-zero once it is mended.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . postgres@3.4.9 > /dev/null
cat > holes.mjs <<'SCRIPT'
import postgres from 'postgres'

const url = process.env.POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const sql = postgres(url, { max: 1 })
const message = await sql`select 10 / (4 - n) as q from generate_series(1, 10) as n`.catch((error) => error.message)
const rows = await sql`select n from generate_series(1, 3) as n`
console.log(`the first query: ${message}; the next one: length ${rows.length}, count ${rows.count},`, [...rows])
await sql.end()
process.exit(message === 'division by zero' && rows.length === 6 && rows.count === 3 && rows[0] === undefined ? 0 : 1)
SCRIPT
node holes.mjs
