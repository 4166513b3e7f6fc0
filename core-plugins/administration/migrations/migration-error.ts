/** The export or folder cannot be used; the message says what is wrong and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}
