import { handOver } from '../ground/session/handed-over.ts'
import type { OpenSession } from '../ground/session/session.ts'
import { applyMode } from '../shell/chosen-mode.ts'
import {
  changePassword,
  forgotPassword,
  isSessionKept,
  type Outcome,
  type Refusal,
  setPassword,
  signIn,
} from './auth-requests.ts'
import { showBranding } from './branding.ts'
import { element } from './element.ts'
import { createForm, type Field, type FormParts, field } from './form.ts'
import { type PasswordLink, takePasswordLink } from './password-link.ts'
import { language, texts } from './texts.ts'

/*
 * The sign-in page without a framework: it renders immediately, and the application loads while the user types. Then the
 * application takes over this document, so that the token never leaves memory.
 */

const root = document.querySelector('#root') ?? document.body
const card = element('main', { class: 'card' })
document.documentElement.lang = language
applyMode()
document.title = texts.title
root.append(card)
void showBranding(card)
begin()
// Opening a link in a tab with this page only changes the hash.
addEventListener('hashchange', begin)

function begin() {
  const link = takePasswordLink()
  if (link === undefined) askForAccount()
  else askForFirstPassword(link)
}

function askForAccount() {
  const identifier = field(texts.identifier, {
    name: 'identifier',
    autocomplete: 'username',
    autofocus: true,
  })
  const password = passwordField(texts.password, 'current-password')
  show({
    title: texts.title,
    fields: [identifier, password],
    action: texts.signIn,
    other: { label: texts.forgot, open: () => askForAddress(identifier.value()) },
    submit: () => signInWith(identifier.value(), password.value()),
  })
  identifier.focus()
}

async function signInWith(identifier: string, password: string): Promise<string | undefined> {
  const outcome = await tryIt(() => signIn(identifier, password))
  if ('problem' in outcome) return outcome.problem
  if (outcome.data.mustChangePassword === true) askForPassword(outcome.data, password)
  else await enter(outcome.data)
  return undefined
}

/** Asks for a new password before the application starts, if the present one was set by someone else. */
function askForPassword(session: OpenSession, present: string) {
  const replacement = passwordField(texts.newPassword, 'new-password')
  show({
    title: texts.newTitle,
    hint: texts.newHint,
    fields: [replacement],
    action: texts.save,
    submit: async () => {
      const outcome = await tryIt(() => changePassword(session.token, present, replacement.value()))
      if ('problem' in outcome) return outcome.problem
      await enter(outcome.data)
      return undefined
    },
  })
  replacement.focus()
}

function askForAddress(typed: string) {
  // Browsers reject non-ASCII letters in `email` inputs.
  const email = field(texts.email, { name: 'email', inputmode: 'email', autocomplete: 'email' })
  if (typed.includes('@')) email.fill(typed)
  show({
    title: texts.forgotTitle,
    hint: texts.forgotHint,
    fields: [email],
    action: texts.send,
    other: { label: texts.back, open: askForAccount },
    submit: async () => {
      const outcome = await tryIt(() => forgotPassword(email.value()))
      if ('problem' in outcome) return outcome.problem
      show({
        title: texts.sentTitle,
        hint: texts.sent,
        fields: [],
        action: texts.back,
        submit: backToAccount,
      })
      return undefined
    },
  })
  email.focus()
}

async function backToAccount(): Promise<undefined> {
  askForAccount()
}

/** Asks for the password of the account in a mailed link, and signs in. */
function askForFirstPassword(link: PasswordLink) {
  const password = passwordField(texts.newPassword, 'new-password')
  show({
    title: texts[`${link.purpose}Title`],
    hint: texts[`${link.purpose}Hint`],
    fields: [password],
    action: texts.save,
    other: { label: texts.back, open: askForAccount },
    submit: async () => {
      const outcome = await tryIt(() => setPassword(link, password.value()))
      return 'problem' in outcome ? outcome.problem : signInWith(outcome.data.email, password.value())
    },
  })
  password.focus()
}

function passwordField(label: string, autocomplete: string): Field {
  return field(label, { name: 'password', type: 'password', autocomplete })
}

function show(parts: FormParts) {
  card.querySelector('form')?.remove()
  card.append(createForm(parts))
}

async function tryIt<Data>(ask: () => Promise<Outcome<Data>>): Promise<{ data: Data } | { problem: string }> {
  try {
    const outcome = await ask()
    return 'data' in outcome ? outcome : { problem: wordingOf(outcome.refusal) }
  } catch {
    return { problem: texts.unreachable }
  }
}

function wordingOf({ status, message, details, retryAfterSeconds }: Refusal): string {
  if (status === 401) return texts.wrong
  if (status === 409) return texts.noMail
  if (status === 429) return texts.locked.replace('{minutes}', String(Math.ceil(retryAfterSeconds / 60)))
  if (details.length === 0) return message
  return details.map(wordingOfProblem).join(' ')
}

const wordings: Readonly<Record<string, string>> = {
  minLength: texts.minLength,
  maxLength: texts.maxLength,
  identifier: texts.identifierAsPassword,
  common: texts.common,
  unchanged: texts.unchanged,
  invalid: texts.invalidLink,
}

function wordingOfProblem({ code, message }: Refusal['details'][number]): string {
  return (wordings[code] ?? message).replace('{n}', /\d+/.exec(message)?.[0] ?? '')
}

async function enter(session: OpenSession) {
  const isKept = location.protocol === 'https:' || (await isSessionKept().catch(() => true))
  if (isKept) return startWith(session)
  show({
    title: texts.notKeptTitle,
    hint: texts.notKept,
    fields: [],
    action: texts.goOn,
    submit: async () => {
      await startWith(session)
      return undefined
    },
  })
}

/** Starts the application here. */
async function startWith(session: OpenSession) {
  removeEventListener('hashchange', begin)
  handOver(session)
  const styles = document.querySelector<HTMLLinkElement>('link[data-panel-styles]')
  if (styles !== null) await loaded(styles)
  history.replaceState(null, '', nextPath())
  document.querySelector('link[href*="/sign-in-page-"]')?.remove()
  card.remove()
  await import('../main.tsx')
}

function loaded(styles: HTMLLinkElement): Promise<void> {
  return new Promise((resolve) => {
    styles.onload = () => resolve()
    styles.onerror = () => resolve()
    styles.rel = 'stylesheet'
  })
}

/** The path to open after sign-in: only paths of the panel are accepted, also if the value is not a valid URL. */
function nextPath(): string {
  const next = new URLSearchParams(location.search).get('next') ?? ''
  const address = next.startsWith('/admin') ? next : '/admin'
  const { pathname, search, hash } = new URL(address, location.origin)
  const isOfPanel = /^\/admin(\/|$)/.test(pathname) && !pathname.startsWith('/admin/sign-in')
  return isOfPanel ? pathname + search + hash : '/admin'
}
