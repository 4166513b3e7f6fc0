import type { Readable } from 'node:stream'
import { emailAddressOf } from '../../foundation/http/http.ts'

export interface OutgoingMail {
  /** Unique; the domain is added later. */
  readonly messageId: string
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string | null
}

/** A mail in its transmitted form. */
export interface ComposedMail {
  readonly envelope: { readonly from: string; readonly to: string }
  readonly message: Readable
}

/** @param sender as in `email.from` */
export async function compose(mail: OutgoingMail, sender: string): Promise<ComposedMail> {
  const { messageId, to, subject, text, html } = mail
  const from = senderOf(sender)
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  // Slow to load, and most processes never send a mail.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const node = new MailComposer({
    ...{ from, subject, text, messageId: `<${messageId}@${domain}>` },
    ...(html === null ? {} : { html }),
    // As an object it is a single address, whatever characters it contains.
    to: { name: '', address: to },
    headers: unattended,
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  return { envelope: { from: from.address, to: asciiDomain(to) }, message: node.createReadStream() }
}

/** Suppresses automatic replies (RFC 3834, and the header of Exchange) but not reports of failed deliveries. */
const unattended = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' }

function senderOf(sender: string): { readonly name: string; readonly address: string } {
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]+)>$/.exec(sender) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: asciiDomain(inBrackets ?? sender) }
}

/**
 * Converts the domain to ASCII, as servers require. An address that no account could have, such as `cms@localhost`, stays
 * unchanged.
 */
function asciiDomain(address: string): string {
  return emailAddressOf(address) ?? address
}
