/** How somebody is told of what is new in a section of their inbox. */
export type Delivery = 'never' | 'digest' | 'immediately'

/** How often the digest is sent. */
export type Frequency = 'daily' | 'weekly'

/** Of what an admin user wants to be told by mail, and when. */
export interface NotificationPreferences {
  /** By section of the inbox; sections that are missing are not told of. */
  readonly sections: Readonly<Record<string, Delivery>>
  readonly frequency: Frequency
  /** From 1, Monday, to 7; counts where the digest is weekly. */
  readonly weekday: number
  /** From 0 to 23, in the time zone. */
  readonly hour: number
  /** IANA name. */
  readonly timeZone: string
  /** Of the mails; two letters. Those without texts in it are in English. */
  readonly language: string
}

/** The sections whose news can be told at once. */
export const immediateSections: ReadonlySet<string> = new Set(['assigned', 'mentioned'])
