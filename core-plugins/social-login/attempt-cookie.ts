import { attemptLifetimeMs } from './attempt.ts'

/** The cookie that binds a sign-in to the browser in which it began. */
export interface AttemptCookie {
  set(value: string): string
  clear(): string
  /** What the browser has sent. */
  read(header: string | undefined): string | undefined
}

/**
 * SameSite=Lax, as the provider's page leads back here. Where the callback is encrypted the name begins with `__Host-`:
 * browsers let nobody else of the domain set it, nor anybody on an unencrypted connection.
 */
export function attemptCookie(provider: string, redirectUri: string): AttemptCookie {
  const isSecure = redirectUri.startsWith('https:')
  const name = `${isSecure ? '__Host-' : ''}mortise_social_${provider}`
  const write = (value: string, maxAgeSeconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    set: (value) => write(value, attemptLifetimeMs / 1000),
    clear: () => write('', 0),
    read(header = '') {
      const pair = header.split(/;\s*/).find((each) => each.startsWith(`${name}=`))
      return pair?.slice(name.length + 1)
    },
  }
}
