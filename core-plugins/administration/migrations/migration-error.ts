/** What is brought in cannot be used as it is: the message says what is wrong and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}
