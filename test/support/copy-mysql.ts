import { type Connection, createConnection } from 'mysql2/promise'

const known = new Map<string, Promise<string[]>>()

/**
 * The statements that create the tables and rows of another database of the same server in the current one: MySQL and MariaDB
 * have no template databases. They are computed once per database.
 * @param url URL of the database to copy, which must not change from then on
 */
export function copyStatements(url: string): Promise<string[]> {
  const statements = known.get(url) ?? readStatements(url)
  known.set(url, statements)
  return statements
}

async function readStatements(url: string): Promise<string[]> {
  const connection = await createConnection({ uri: url, rowsAsArray: true })
  try {
    const tables = (await rowsOf(connection, 'show tables')).map(([name = '']) => name)
    const statements: string[] = ['set foreign_key_checks = 0']
    for (const table of tables) {
      const [[, create = ''] = []] = await rowsOf(connection, `show create table \`${table}\``)
      statements.push(create)
      const [row] = await rowsOf(connection, `select 1 from \`${table}\` limit 1`)
      const database = new URL(url).pathname.slice(1)
      if (row !== undefined)
        statements.push(`insert into \`${table}\` select * from \`${database}\`.\`${table}\``)
    }
    return statements
  } finally {
    await connection.end()
  }
}

async function rowsOf(connection: Connection, statement: string): Promise<string[][]> {
  const [rows] = await connection.query(statement)
  return rows as string[][]
}
