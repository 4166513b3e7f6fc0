#!/usr/bin/env bash
# MySQL 9.7, in sessions with the standard mode NO_BACKSLASH_ESCAPES: a text in parentheses as a default, as text columns
# require, is kept with backslash escapes and read back without them. `default ('it''s')` is refused as a syntax error, and
# the backslashes of `default ('a\b')` double with every change of the table, so that later rows get another default than
# earlier ones. `default (convert(unhex(…) using utf8mb4))` stays what it is. MariaDB 10.11 and 11.8 do both right.
# Takes a server: MYSQL_97_URL, by default mysql://root@127.0.0.1:3306/mysql. Exits non-zero once it is mended.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . mysql2@3.24.6 > /dev/null
cat > defaults.mjs <<'SCRIPT'
import { createConnection } from 'mysql2/promise'

const connection = await createConnection(process.env.MYSQL_97_URL ?? 'mysql://root@127.0.0.1:3306/mysql')
const schema = `defaults_${process.pid}`
await connection.query(`create database ${schema}`)
await connection.query(`use ${schema}`)
await connection.query("set session sql_mode = 'NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES'")
await connection.query(String.raw`create table t (id int primary key, plain varchar(99) default ('a\b'))`)
const apostrophe = await connection
  .query("alter table t add column apostrophe varchar(99) default ('it''s')")
  .then(() => 'accepted', (error) => `refused (${error.errno})`)
await connection.query(
  String.raw`alter table t add column encoded varchar(99) default (convert(unhex('${Buffer.from(String.raw`it's a\b`).toString('hex')}') using utf8mb4))`,
)
await connection.query('alter table t add column other int')
await connection.query('insert into t (id) values (1)')
const [[row]] = await connection.query('select plain, encoded from t')
const [[{ version }]] = await connection.query('select version() as version')
console.log(`${version}: an apostrophe is ${apostrophe}; a\\b has become ${row.plain}; encoded: ${row.encoded}`)
await connection.query(`drop database ${schema}`)
await connection.end()
const isAsSeen = apostrophe === 'refused (1064)' && row.plain !== String.raw`a\b` && row.encoded === String.raw`it's a\b`
process.exit(isAsSeen ? 0 : 1)
SCRIPT
node defaults.mjs
