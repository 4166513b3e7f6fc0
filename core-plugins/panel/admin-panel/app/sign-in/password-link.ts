/** What a link that somebody was sent is for. */
export interface PasswordLink {
  readonly purpose: 'invitation' | 'reset'
  readonly token: string
}

/** The link that has led here, if any. Its token is in the address no longer than necessary: history keeps that. */
export function takePasswordLink(): PasswordLink | undefined {
  const [, purpose, token = ''] = /^#(invitation|reset)=([\w-]+)$/.exec(location.hash) ?? []
  if (purpose !== 'invitation' && purpose !== 'reset') return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return { purpose, token }
}
