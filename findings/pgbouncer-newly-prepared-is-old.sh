#!/usr/bin/env bash
# PgBouncer 1.26.1 pools by transaction and keeps named statements by their text, for all clients. After a table has changed, a client that
# prepares a statement for the first time is answered "cached plan must not change result type" (0A000), as if it had held an old one: the pooler
# answers Parse from what another client has prepared before. Without the pooler the same client is served. So a driver cannot conclude
# from "I have just prepared this" that the error is a real one; the way out is a text that nobody has used yet.
# Takes PostgreSQL and a pooler in front of it: DIRECT_URL and POOLED_URL (PgBouncer 1.21 or later, pool_mode = transaction,
# max_prepared_statements > 0). Exits non-zero once that changes.
set -euo pipefail
: "${DIRECT_URL:?the address of a PostgreSQL}" "${POOLED_URL:?the same behind PgBouncer}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . pg@8.16.3 > /dev/null
cat > stale.mjs <<'SCRIPT'
import pg from 'pg'

const connect = async (connectionString) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}
const direct = await connect(process.env.DIRECT_URL)
const table = `newly_prepared_${process.pid}`
await direct.query(`create table ${table} (hits integer)`)
const read = { name: 'read', text: `select hits from ${table} /* ${process.pid} */` }
const outcome = async (url, query) => {
  const client = await connect(url)
  const answer = await client.query(query).then(() => 'served', ({ code, message }) => `${code} ${message}`)
  await client.end()
  return answer
}
await outcome(process.env.POOLED_URL, read)
await direct.query(`alter table ${table} alter column hits type numeric`)
const pooled = await outcome(process.env.POOLED_URL, read)
const renamed = await outcome(process.env.POOLED_URL, { ...read, text: `${read.text} /* again */` })
const unpooled = await outcome(process.env.DIRECT_URL, read)
await direct.query(`drop table ${table}`)
await direct.end()
console.log(`a new client: ${pooled}; with another text: ${renamed}; without the pooler: ${unpooled}`)
process.exit(pooled.startsWith('0A000') && renamed === 'served' && unpooled === 'served' ? 0 : 1)
SCRIPT
node stale.mjs
