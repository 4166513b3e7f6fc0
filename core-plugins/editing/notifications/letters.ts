import type { EmailMessage } from '../../accounts/email/email.ts'
import { type Config, panelAddress, siteName } from '../../foundation/config/config.ts'
import type { AdminPrincipal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { InboxItem } from '../inbox/inbox.ts'
import { type Block, type Body, htmlOf, type Line, oneLine, textOf } from './mail.ts'
import { countNews, type SectionNews } from './news.ts'
import type { Recipient } from './preference-store.ts'
import { type Texts, textsIn } from './texts.ts'

/** Writes mails about news. All sections must have been read with the recipient's permissions. */
export interface Letters {
  digest(recipient: Recipient, principal: AdminPrincipal, sections: readonly SectionNews[]): EmailMessage
  notice(recipient: Recipient, principal: AdminPrincipal, sections: readonly SectionNews[]): EmailMessage
}

/** The maximum number of entries per section in a mail. */
const shownInSection = 10
const longestTitle = 120
const longestComment = 300
const longestName = 80
/** How long a mail that could not be sent is still worth sending. */
const lifetimeMs = 24 * 60 * 60_000

export function createLetters(config: Config, schemas: Schemas): Letters {
  const site = () => oneLine(config.get(siteName), longestName)
  const panel = () => panelAddress(config)

  function lineOf(item: InboxItem, texts: Texts): Line {
    const type = schemas.types.get(item.type)?.displayName ?? item.type
    const url = panel() === '' ? '' : `${panel()}/admin/content/${item.type}/${item.id}`
    return { text: `${titleOf(item, texts)} (${oneLine(type, longestName)})`, url, ...noteOf(item, texts) }
  }

  function blockOf({ section, news, total, hasMore }: SectionNews, texts: Texts): Block {
    const name = texts.sections[section] ?? section
    const inAll = `${total}${hasMore ? '+' : ''}`
    if (news.length === 0) return { heading: texts.waiting(name, inAll), lines: [] }
    const lines = news.slice(0, shownInSection).map((item) => lineOf(item, texts))
    const rest = news.length - lines.length
    return {
      heading: texts.heading(name, news.length, inAll),
      lines: rest === 0 ? lines : [...lines, { text: texts.more(rest), url: '' }],
    }
  }

  function message(to: string, subject: string, body: Body): EmailMessage {
    const expiresAt = new Date(Date.now() + lifetimeMs).toISOString()
    return { to, subject: oneLine(subject, 200), text: textOf(body), html: htmlOf(body), expiresAt }
  }

  function bodyOf(
    introduction: string,
    { username }: AdminPrincipal,
    { texts, blocks }: { readonly texts: Texts; readonly blocks: readonly Block[] },
  ): Body {
    const below = (path: string) => (panel() === '' ? '' : `${panel()}/admin/${path}`)
    return {
      opening: [texts.greeting(oneLine(username, longestName)), introduction],
      blocks,
      closing: [
        ...(panel() === '' ? [] : [{ text: texts.inbox, url: below('inbox') }]),
        { text: texts.unsubscribe, url: below('profile') },
      ],
    }
  }

  return {
    digest({ email, language }, principal, sections) {
      const texts = textsIn(language)
      const blocks = sections.filter(({ total }) => total > 0).map((each) => blockOf(each, texts))
      const subject = texts.digestSubject(countNews(sections), site())
      return message(email, subject, bodyOf(texts.digestIntroduction(site()), principal, { texts, blocks }))
    },
    notice({ email, language }, principal, sections) {
      const texts = textsIn(language)
      const blocks = sections.filter(({ news }) => news.length > 0).map((each) => blockOf(each, texts))
      const body = bodyOf(texts.noticeIntroduction(site()), principal, { texts, blocks })
      return message(email, noticeSubject(sections, texts, site()), body)
    },
  }
}

function titleOf({ title, id }: InboxItem, texts: Texts): string {
  return oneLine(title ?? '', longestTitle) || texts.untitled(id)
}

function noteOf(item: InboxItem, texts: Texts): { readonly note?: string } {
  const by = oneLine(item.by?.username ?? '', longestName)
  if (item.comment !== undefined) return { note: texts.says(by, oneLine(item.comment, longestComment)) }
  if (item.role !== undefined) return { note: texts.role(oneLine(item.role, longestName), by) }
  if (item.state === undefined) return {}
  const ways = (item.transitions ?? []).map(({ label }) => oneLine(label, longestName))
  return { note: `${oneLine(item.state, longestName)} → ${ways.join(', ')}` }
}

/** Names the item if there is only one. */
function noticeSubject(sections: readonly SectionNews[], texts: Texts, site: string): string {
  const [first, ...others] = sections.flatMap(({ section, news }) => news.map((item) => ({ section, item })))
  if (first === undefined || others.length > 0) return texts.noticeSubject(others.length + 1, site)
  const { section, item } = first
  const subject = section === 'mentioned' ? texts.mentionedSubject : texts.assignedSubject
  return subject(oneLine(item.by?.username ?? '', longestName), titleOf(item, texts))
}
