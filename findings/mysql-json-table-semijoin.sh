#!/usr/bin/env bash
# MySQL 9.7 finds nothing by an `exists` over a json_table of the outer row: it makes a semijoin of it, and then the items of one
# row count for all of them. No error is reported. With the hint no_semijoin, or on MariaDB 11.8, 100 of 300 rows are found.
# Takes a server: MYSQL_97_URL, by default mysql://root@127.0.0.1:3306/mysql. Exits non-zero once it is mended.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . mysql2@3.24.6 > /dev/null
cat > exists.mjs <<'SCRIPT'
import { createConnection } from 'mysql2/promise'

const connection = await createConnection(process.env.MYSQL_97_URL ?? 'mysql://root@127.0.0.1:3306/mysql')
const schema = `semijoin_${process.pid}`
await connection.query(`create database ${schema}`)
await connection.query(`use ${schema}`)
await connection.query('create table t (id int primary key, v json)')
const rows = Array.from({ length: 300 }, (_, index) => [index + 1, JSON.stringify([{ n: index % 3 }])])
await connection.query('insert into t (id, v) values ?', [rows])
await connection.query('analyze table t')
const count = async (hint) => {
  const items = `json_table(t.v, '$[*]' columns (value json path '$')) i`
  const [[row]] = await connection.query(
    `select count(*) as found from t where exists (select ${hint} 1 from ${items} where json_extract(i.value, '$.n') = 1)`,
  )
  return row.found
}
const [[{ version }]] = await connection.query('select version() as version')
const [plain, hinted] = [await count(''), await count('/*+ no_semijoin() */')]
console.log(`${version}: ${plain} of 300 rows by exists, ${hinted} with no_semijoin`)
await connection.query(`drop database ${schema}`)
await connection.end()
process.exit(plain !== 100 && hinted === 100 ? 0 : 1)
SCRIPT
node exists.mjs
