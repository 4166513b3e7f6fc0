#!/usr/bin/env bash
# postgres.js 3.4.9 gives answers to the wrong queries after a prepared statement was refused. When PostgreSQL says
# "cached plan must not change result type" because a column was altered, the driver prepares and sends the statement
# again by itself (src/connection.js, retry): its Parse and Flush first, its Bind only after the answer to these. Other
# queries are written in between, so that from there on answers belong to other queries, or never come.
# Expected (PostgreSQL 15 and 18): reads by id, 24 at once, right before the change; afterwards wrong ones or a standstill.
# Takes a server: POSTGRES_URL, by default postgres://postgres@127.0.0.1:5432/postgres. Exits non-zero once it is mended.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . postgres@3.4.9 > /dev/null
cat > readers.mjs <<'SCRIPT'
import postgres from 'postgres'

const url = process.env.POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const table = `second_try_${process.pid}`
const connect = () => postgres(url, { max: 1, onnotice: () => undefined })
const owner = connect()
await owner.unsafe(`create table ${table} (id int primary key, count int)`)
await owner.unsafe(`insert into ${table} select n, n from generate_series(1, 100) as n`)
const readers = connect()
const counts = { right: 0, wrong: 0, failed: 0 }
const read = async () => {
  for (;;) {
    const id = 1 + Math.floor(Math.random() * 100)
    try {
      const [row] = await readers.unsafe(`select id, count from ${table} where id = $1`, [id], { prepare: true })
      counts[row?.id === id ? 'right' : 'wrong'] += 1
    } catch {
      counts.failed += 1
    }
  }
}
for (let reader = 0; reader < 24; reader += 1) void read()
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
await pause(1000)
const before = { ...counts }
await owner.unsafe(`alter table ${table} alter column count type numeric`)
await pause(2000)
const later = { ...counts }
await pause(1000)
const stands = later.right === counts.right
const [{ server_version: version }] = await owner.unsafe('show server_version')
await owner.unsafe(`drop table ${table}`)
console.log(`PostgreSQL ${version}, postgres.js 3.4.9`)
console.log('before the change:', before, 'afterwards:', counts, stands ? 'no right answer comes any more' : '')
const isAsDescribed = before.wrong === 0 && before.failed === 0 && (counts.wrong > 0 || stands)
process.exit(isAsDescribed ? 0 : 1)
SCRIPT
node readers.mjs
