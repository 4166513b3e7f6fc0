/** An archive that cannot be used; the message continues "the backup …". */
export class DamagedArchive extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DamagedArchive'
  }
}
