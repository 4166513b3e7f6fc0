/** The differences between servers that speak MySQL's protocol. */
export interface MysqlServer {
  readonly isMariaDb: boolean
  /** Compares by code point, trailing spaces included. */
  readonly binaryCollation: string
  /** Has the most recent Unicode case mapping that the server offers. */
  readonly foldingCollation: string
  /** Capitals that `lower` does not convert to the small letters given here. */
  readonly misreadCapitals: Readonly<Record<string, string>>
}

/** `lower` produces a single letter for each, so this one would lose its dot. */
const dotted = { İ: 'i̇' }

/**
 * These small letters take more bytes than the capitals, and MySQL 9.7 cuts that many bytes off the end of the text.
 */
const longer = { Ⱥ: 'ⱥ', Ⱦ: 'ⱦ' }

/** Detects the server from `select version()`, such as `10.11.6-MariaDB` or `8.0.39`. */
export function mysqlServer(version: string): MysqlServer {
  const isMariaDb = /mariadb/i.test(version)
  if (!isMariaDb) {
    return {
      isMariaDb,
      binaryCollation: 'utf8mb4_0900_bin',
      foldingCollation: 'utf8mb4_0900_as_cs',
      misreadCapitals: { ...dotted, ...longer },
    }
  }
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNew = major > 10 || (major === 10 && minor >= 10)
  return {
    isMariaDb,
    binaryCollation: 'utf8mb4_nopad_bin',
    foldingCollation: isNew ? 'utf8mb4_uca1400_as_cs' : 'utf8mb4_unicode_520_ci',
    misreadCapitals: dotted,
  }
}
