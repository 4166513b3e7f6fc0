import type { EmailMessage } from './email.ts'
import { escapeHtml } from './escape-html.ts'

/** A mail in paragraphs, one of which is a link or a code. */
export interface Letter {
  readonly to: string
  readonly subject: string
  readonly before: readonly string[]
  /** Linked if it is an address. */
  readonly value: string
  readonly after: readonly string[]
  readonly expiresAt: string
}

/** The mail as text and as HTML, in which text stays text. */
export function mailOf({ to, subject, before, value, after, expiresAt }: Letter): EmailMessage {
  const paragraph = (line: string) => `<p>${escapeHtml(line)}</p>`
  const html = [...before.map(paragraph), `<p>${shown(value)}</p>`, ...after.map(paragraph)].join('\n')
  return { to, subject, text: [...before, value, ...after].join('\n\n'), html, expiresAt }
}

function shown(value: string): string {
  const text = escapeHtml(value)
  return /^https?:/.test(value) ? `<a href="${text}">${text}</a>` : `<code>${text}</code>`
}
