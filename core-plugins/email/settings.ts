import { type Config, defineSetting, type SettingProblem } from '../config/config.ts'

export const emailEnabled = defineSetting<boolean>({
  key: 'email.enabled',
  tier: 'runtime',
  type: 'boolean',
  default: true,
  label: 'Send mail',
  description: 'Whether mail is sent at all; it takes email.host and email.from, too',
})

export const emailHost = defineSetting<string>({
  key: 'email.host',
  tier: 'runtime',
  isReserved: true,
  type: 'string',
  default: '',
  label: 'SMTP server',
  description: 'Name or address of the SMTP server; empty: no mail is sent',
  check: (host) =>
    /^[^\s/@]*$/.test(host)
      ? undefined
      : { severity: 'fatal', message: 'is not the name of a host', remedy: 'write it as smtp.example.com' },
})

export const emailPort = defineSetting<number>({
  key: 'email.port',
  tier: 'runtime',
  isReserved: true,
  type: 'integer',
  default: 587,
  min: 1,
  max: 65_535,
  label: 'SMTP port',
  description: '587 or 25 with STARTTLS, 465 with email.secure',
})

export const emailSecure = defineSetting<boolean>({
  key: 'email.secure',
  tier: 'runtime',
  isReserved: true,
  type: 'boolean',
  default: false,
  label: 'TLS from the start',
  description:
    'Whether the connection is encrypted from the start; otherwise by STARTTLS where the server can',
})

export const emailRequireTls = defineSetting<boolean>({
  key: 'email.requireTls',
  tier: 'runtime',
  isReserved: true,
  type: 'boolean',
  default: false,
  label: 'Insist on TLS',
  description: 'Sends nothing where the server cannot encrypt the connection',
})

export const emailUser = defineSetting<string>({
  key: 'email.user',
  tier: 'runtime',
  isReserved: true,
  type: 'string',
  default: '',
  label: 'SMTP user',
  description:
    'Signs in with the password in SVC_SMTP_PASSWORD, which is sent where server, port and user come from the ' +
    'environment or the config file; empty: without signing in',
})

export const emailPassword = defineSetting<string>({
  key: 'email.password',
  tier: 'secret',
  type: 'string',
  default: '',
  env: 'SVC_SMTP_PASSWORD',
  label: 'SMTP password',
  description: 'The password of email.user',
})

export const emailAllowUnencryptedAuth = defineSetting<boolean>({
  key: 'email.allowUnencryptedAuth',
  tier: 'infrastructure',
  type: 'boolean',
  default: false,
  label: 'Sign in without TLS',
  description:
    'Lets the SMTP password go over connections that are not encrypted; for servers on this machine',
})

export const emailAllowPrivateNetworks = defineSetting<boolean>({
  key: 'email.allowPrivateNetworks',
  tier: 'infrastructure',
  type: 'boolean',
  default: false,
  label: 'Private SMTP servers',
  description:
    'Lets a server that was set at run time have a private or loopback address in production; one that the ' +
    'environment or the config file names always may',
})

export const emailFrom = defineSetting<string>({
  key: 'email.from',
  tier: 'runtime',
  type: 'string',
  default: '',
  label: 'Sender',
  description: 'Whom mail comes from: cms@example.com, or Our CMS <cms@example.com>',
  check: (from) =>
    from === '' || /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from)
      ? undefined
      : {
          severity: 'fatal',
          message: 'is not an address',
          remedy: 'write it as cms@example.com or Our CMS <cms@example.com>',
        },
})

/** Stands in `email.passwordResetUrl` for the token. */
export const tokenMark = '{token}'

export const passwordResetUrl = defineSetting<string>({
  key: 'email.passwordResetUrl',
  tier: 'runtime',
  isReserved: true,
  type: 'string',
  default: '',
  label: 'Page for a new password',
  description:
    'The page that password reset mails lead to, with {token} where the token goes; ' +
    'empty: /reset-password?token={token} below site.url',
  check: checkResetUrl,
})

function checkResetUrl(url: string): SettingProblem | undefined {
  if (url === '') return undefined
  const isWhole = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  if (isWhole && url.includes(tokenMark)) return undefined
  return {
    severity: 'fatal',
    message: 'is not an http or https address with {token} in it',
    remedy: 'write it whole, such as https://www.example.com/new-password?token={token}',
  }
}

/** All of them, to be contributed. */
export const emailSettings = [
  emailEnabled,
  emailHost,
  emailPort,
  emailSecure,
  emailRequireTls,
  emailUser,
  emailPassword,
  emailAllowUnencryptedAuth,
  emailAllowPrivateNetworks,
  emailFrom,
  passwordResetUrl,
]

/** Whether there is all that it takes to send mail. */
export function isConfigured(config: Config): boolean {
  return config.get(emailEnabled) && config.get(emailHost) !== '' && config.get(emailFrom) !== ''
}
