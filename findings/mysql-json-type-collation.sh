#!/usr/bin/env bash
# MySQL 9.7 refuses to compare what json_type answers with a literal, unless both have one collation: it answers texts in
# utf8mb4_bin that are as coercible as literals, which have the collation of the connection ("Illegal mix of collations", 1267).
# MariaDB 11.8 takes it. A collation by name on either side mends it.
# Takes a server: MYSQL_97_URL, by default mysql://root@127.0.0.1:3306/mysql. Exits non-zero once it is mended.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . mysql2@3.24.6 > /dev/null
cat > compare.mjs <<'SCRIPT'
import { createConnection } from 'mysql2/promise'

const connection = await createConnection(process.env.MYSQL_97_URL ?? 'mysql://root@127.0.0.1:3306/mysql')
const ask = async (text) => {
  try {
    const [[row]] = await connection.query(text)
    return Object.values(row)[0]
  } catch (error) {
    return error.code
  }
}
await connection.query('set names utf8mb4 collate utf8mb4_0900_bin')
const version = await ask('select version()')
const compared = await ask(`select json_type('{}') = 'OBJECT'`)
const named = await ask(`select json_type('{}') collate utf8mb4_0900_bin = 'OBJECT'`)
console.log(`${version}: compared as it is ${compared}, with a collation by name ${named}`)
await connection.end()
process.exit(compared === 'ER_CANT_AGGREGATE_2COLLATIONS' && named === 1 ? 0 : 1)
SCRIPT
node compare.mjs
