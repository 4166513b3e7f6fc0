import { Type } from 'typebox'
import { timestampSchema } from '../../../foundation/http/http.ts'

export const emailSchema = Type.String({
  format: 'idn-email',
  maxLength: 255,
  description: 'Internationalised ones, too; the domain is kept in ASCII (`xn--…`)',
})

// Without `@`, so that a username can never be another user's address; without control and format characters,
// which would make two names look the same. Normalising can triple the length of a name, and the column holds
// 255.
export const usernameSchema = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: '^[^\\s@\\p{C}]+( [^\\s@\\p{C}]+)*$',
  description: 'Letters, digits and signs but `@`, with single spaces between; case counts',
})

/** The length limit of any password; the rules for new ones are settings. */
export const passwordSchema = Type.String({ minLength: 1, maxLength: 1024 })

/**
 * The maximum size of bodies with names, addresses, passwords and tokens: room for each of them, even with all characters
 * escaped. Most senders are anonymous, so the service must not read and check megabytes for them.
 */
export const maxCredentialBytes = 32 * 1024

export const identifierSchema = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'E-mail address or username',
})

export const descriptionSchema = Type.String({ maxLength: 1000 })

/** The columns that both kinds of account expose. */
export const accountShape = {
  id: Type.Integer(),
  email: Type.String(),
  username: Type.String(),
  role: Type.String(),
  blocked: Type.Boolean(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
}
