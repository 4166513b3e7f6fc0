#!/usr/bin/env bash
# MySQL 9.7 cuts off the end of a text in `lower()`, without an error or a warning, where a letter takes more bytes as a small one:
# with the collations of Unicode 9 (utf8mb4_0900_as_cs), `lower('aȺbc')` is 'aⱥ'. It happens to Ⱥ and Ⱦ; `upper()` does it to 17
# letters, such as ɑ and ɫ. MariaDB 10.11 and 11.8 do not.
# Takes a server: MYSQL_97_URL, by default mysql://root@127.0.0.1:3306/mysql. Exits non-zero once it is mended.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . mysql2@3.24.6 > /dev/null
cat > lower.mjs <<'SCRIPT'
import { createConnection } from 'mysql2/promise'

const connection = await createConnection(process.env.MYSQL_97_URL ?? 'mysql://root@127.0.0.1:3306/mysql')
await connection.query('set names utf8mb4')
const convert = async (name, text) => {
  const [[row]] = await connection.query(
    `select ${name}(cast(? as char character set utf8mb4) collate utf8mb4_0900_as_cs) as text`,
    [text],
  )
  return row.text
}
const [[{ version }]] = await connection.query('select version() as version')
const [lower, upper] = [await convert('lower', 'aȺbc'), await convert('upper', 'xɑyz')]
console.log(`${version}: lower('aȺbc') is '${lower}', upper('xɑyz') is '${upper}'`)
await connection.end()
process.exit(lower === 'aⱥ' && upper !== 'XⱭYZ' ? 0 : 1)
SCRIPT
node lower.mjs
