import type { InboxSection } from '../inbox/inbox.ts'

/** The texts of mails in one language. */
export interface Texts {
  readonly sections: Readonly<Record<InboxSection, string>>
  greeting(username: string): string
  digestSubject(count: number, site: string): string
  digestIntroduction(site: string): string
  noticeSubject(count: number, site: string): string
  mentionedSubject(by: string, title: string): string
  assignedSubject(by: string, title: string): string
  noticeIntroduction(site: string): string
  /** `total` is "200+" if more items wait than were counted. */
  heading(section: string, news: number, total: string): string
  waiting(section: string, total: string): string
  more(count: number): string
  says(by: string, comment: string): string
  role(role: string, by: string): string
  untitled(id: number): string
  readonly inbox: string
  readonly unsubscribe: string
}

const en: Texts = {
  sections: {
    assigned: 'Assigned to you',
    mentioned: 'You are mentioned',
    transitions: 'To be taken on',
    outdated: 'Outdated translations',
  },
  greeting: (username) => `Hello ${username},`,
  digestSubject: (count, site) => `${count} new in your inbox at ${site}`,
  digestIntroduction: (site) => `this is new in your inbox at ${site} since the last digest.`,
  noticeSubject: (count, site) => `${count} new for you at ${site}`,
  mentionedSubject: (by, title) => `${by} mentioned you: ${title}`,
  assignedSubject: (by, title) => `${by} assigned you: ${title}`,
  noticeIntroduction: (site) => `this has just come into your inbox at ${site}.`,
  heading: (section, news, total) => `${section}: ${news} new, ${total} in all`,
  waiting: (section, total) => `${section}: nothing new, ${total} in all`,
  more: (count) => `and ${count} more`,
  says: (by, comment) => `${by}: “${comment}”`,
  role: (role, by) => `as ${role}, by ${by}`,
  untitled: (id) => `No. ${id}`,
  inbox: 'All that waits for you:',
  unsubscribe: 'You get this mail because you have asked for it. Change that, or end it, in your profile:',
}

const de: Texts = {
  sections: {
    assigned: 'Ihnen zugewiesen',
    mentioned: 'Sie werden erwähnt',
    transitions: 'Weiterzuführen',
    outdated: 'Veraltete Übersetzungen',
  },
  greeting: (username) => `Hallo ${username},`,
  digestSubject: (count, site) => `${count} neu in Ihrem Eingang bei ${site}`,
  digestIntroduction: (site) => `das ist seit der letzten Zusammenfassung neu in Ihrem Eingang bei ${site}.`,
  noticeSubject: (count, site) => `${count} neu für Sie bei ${site}`,
  mentionedSubject: (by, title) => `${by} hat Sie erwähnt: ${title}`,
  assignedSubject: (by, title) => `${by} hat Ihnen zugewiesen: ${title}`,
  noticeIntroduction: (site) => `das ist eben in Ihren Eingang bei ${site} gekommen.`,
  heading: (section, news, total) => `${section}: ${news} neu, ${total} insgesamt`,
  waiting: (section, total) => `${section}: nichts Neues, ${total} insgesamt`,
  more: (count) => `und ${count} weitere`,
  says: (by, comment) => `${by}: „${comment}“`,
  role: (role, by) => `als ${role}, von ${by}`,
  untitled: (id) => `Nr. ${id}`,
  inbox: 'Alles, was auf Sie wartet:',
  unsubscribe:
    'Sie bekommen diese Mail, weil Sie darum gebeten haben. Ändern oder beenden Sie das in Ihrem Profil:',
}

const languages = new Map([
  ['en', en],
  ['de', de],
])

/** English for languages without texts. */
export const textsIn = (language: string): Texts => languages.get(language) ?? en
