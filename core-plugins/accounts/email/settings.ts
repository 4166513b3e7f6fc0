import { Type } from 'typebox'
import { type Config, defineSetting, type SettingProblem } from '../../foundation/config/config.ts'

export const emailEnabled = defineSetting(
  'email.enabled',
  Type.Boolean({
    tier: 'runtime',
    default: true,
    title: 'Send mail',
    description: 'Whether mail is sent at all; it takes email.host and email.from, too',
  }),
)

export const emailHost = defineSetting(
  'email.host',
  Type.String({
    tier: 'runtime',
    isReserved: true,
    default: '',
    title: 'SMTP server',
    description: 'Name or address of the SMTP server; empty: no mail is sent',
  }),
  (host) =>
    /^[^\s/@]*$/.test(host)
      ? undefined
      : { severity: 'fatal', message: 'is not the name of a host', remedy: 'write it as smtp.example.com' },
)

export const emailPort = defineSetting(
  'email.port',
  Type.Integer({
    tier: 'runtime',
    isReserved: true,
    default: 587,
    minimum: 1,
    maximum: 65_535,
    title: 'SMTP port',
    description: '587 or 25 with STARTTLS, 465 with email.secure',
  }),
)

export const emailSecure = defineSetting(
  'email.secure',
  Type.Boolean({
    tier: 'runtime',
    isReserved: true,
    default: false,
    title: 'TLS from the start',
    description:
      'Whether the connection is encrypted from the start; otherwise by STARTTLS where the server can',
  }),
)

export const emailRequireTls = defineSetting(
  'email.requireTls',
  Type.Boolean({
    tier: 'runtime',
    isReserved: true,
    default: false,
    title: 'Insist on TLS',
    description:
      'Sends nothing unless the connection is encrypted and the certificate valid, even without signing in; otherwise ' +
      'it is encrypted where the server can, by whatever certificate',
  }),
)

export const emailUser = defineSetting(
  'email.user',
  Type.String({
    tier: 'runtime',
    isReserved: true,
    default: '',
    title: 'SMTP user',
    description:
      'Signs in with the password in SVC_SMTP_PASSWORD, which is sent where server, port and user come from the ' +
      'environment or the config file; empty: without signing in',
  }),
)

export const emailPassword = defineSetting(
  'email.password',
  Type.String({
    tier: 'secret',
    default: '',
    env: 'SVC_SMTP_PASSWORD',
    title: 'SMTP password',
    description: 'The password of email.user',
  }),
)

export const emailAllowUnencryptedAuth = defineSetting(
  'email.allowUnencryptedAuth',
  Type.Boolean({
    tier: 'infrastructure',
    default: false,
    title: 'Sign in without TLS',
    description:
      'Lets the SMTP password go over connections that are not encrypted; for servers on this machine',
  }),
)

export const emailAllowInvalidCertificate = defineSetting(
  'email.allowInvalidCertificate',
  Type.Boolean({
    tier: 'infrastructure',
    default: false,
    title: 'Any certificate',
    description:
      'Takes a certificate of the SMTP server that proves nothing, such as a self-signed one, even where the password ' +
      'goes over the connection; it must still be encrypted',
  }),
)

export const emailAllowPrivateNetworks = defineSetting(
  'email.allowPrivateNetworks',
  Type.Boolean({
    tier: 'infrastructure',
    default: false,
    title: 'Private SMTP servers',
    description:
      'Lets a server that was set at run time have a private or loopback address in production; one that the ' +
      'environment or the config file names always may',
  }),
)

export const emailFrom = defineSetting(
  'email.from',
  Type.String({
    tier: 'runtime',
    default: '',
    title: 'Sender',
    description: 'Whom mail comes from: cms@example.com, or Our CMS <cms@example.com>',
  }),
  (from) =>
    from === '' || /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from)
      ? undefined
      : {
          severity: 'fatal',
          message: 'is not an address',
          remedy: 'write it as cms@example.com or Our CMS <cms@example.com>',
        },
)

/** The placeholder for the token in `email.passwordResetUrl`. */
export const tokenMark = '{token}'

export const passwordResetUrl = defineSetting(
  'email.passwordResetUrl',
  Type.String({
    tier: 'runtime',
    isReserved: true,
    default: '',
    title: 'Page for a new password',
    description:
      'The page that password reset mails lead to, with {token} where the token goes; ' +
      'empty: /reset-password?token={token} below site.url',
  }),
  checkResetUrl,
)

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

/** All settings, to be contributed. */
export const emailSettings = [
  emailEnabled,
  emailHost,
  emailPort,
  emailSecure,
  emailRequireTls,
  emailUser,
  emailPassword,
  emailAllowUnencryptedAuth,
  emailAllowInvalidCertificate,
  emailAllowPrivateNetworks,
  emailFrom,
  passwordResetUrl,
]

/** Whether everything required to send mail is set. */
export function isConfigured(config: Config): boolean {
  return config.get(emailEnabled) && config.get(emailHost) !== '' && config.get(emailFrom) !== ''
}
