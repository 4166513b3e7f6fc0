import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificates } from '../support/certificates.ts'
import { isListening } from '../support/database-servers.ts'
import { freePort } from '../support/free-port.ts'
import { watchOutput } from '../support/process.ts'
import { skipWithout } from '../support/scope.ts'
import { until } from '../support/until.ts'

/** A Postfix of this test's own: its certificate is for `localhost`, from an authority that nobody knows. */
export interface Postfix {
  /** Offers STARTTLS. */
  readonly port: number
  /** Does not. */
  readonly plainPort: number
  /** Takes no internationalised addresses. */
  readonly asciiPort: number
  /** The authority of its certificate, as a PEM file. */
  readonly ca: string
  /** The mail to an address, once it is in the mailbox. */
  delivered(to: string): Promise<string>
  /** Everything that is in the mailbox now. */
  mailbox(): readonly string[]
  stop(): Promise<void>
}

const postfix = '/usr/sbin/postfix'

/** For `skip`: why Postfix cannot be started here, or false. */
export const skipWithoutPostfix = skipWithout(
  'Postfix, and to be root',
  existsSync(postfix) && process.getuid?.() === 0,
)

/** The domains whose mail it keeps. */
const domains = ['example.com', 'xn--fsqu00a.xn--4rr70v']

/** As Debian sets it up, in folders and on ports of its own. */
export async function startPostfix(): Promise<Postfix> {
  const directory = mkdtempSync(join(tmpdir(), 'mortise-postfix-'))
  const [settings, queue, data, mail] = ['etc', 'spool', 'data', 'mail'].map((name) =>
    join(directory, name),
  ) as [string, string, string, string]
  for (const folder of [settings, queue, data, mail]) mkdirSync(folder)
  chmodSync(directory, 0o755)
  const [user, group] = ['-u', '-g'].map((option) =>
    execFileSync('id', [option, 'postfix'], { encoding: 'utf8' }).trim(),
  )
  for (const folder of [data, mail]) chownSync(folder, Number(user), Number(group))
  const { ca, cert, key } = makeCertificates(settings)
  const ports = { port: await freePort(), plainPort: await freePort(), asciiPort: await freePort() }
  writeFileSync(
    join(settings, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
maillog_file = ${join(directory, 'log')}
maillog_file_prefixes = ${directory}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = localhost
mydestination =
mynetworks = 127.0.0.0/8
virtual_mailbox_domains = ${domains.join(' ')}
virtual_mailbox_base = ${mail}
virtual_mailbox_maps = static:all/
virtual_uid_maps = static:${user}
virtual_gid_maps = static:${group}
virtual_minimum_uid = 1
smtpd_tls_security_level = may
smtpd_tls_cert_file = ${cert}
smtpd_tls_key_file = ${key}
`,
  )
  const services = readFileSync('/etc/postfix/master.cf', 'utf8').replace(
    /^smtp +inet.*$/m,
    servicesOf(ports),
  )
  // The jail of Debian is set up by its own scripts; the libraries of this one are those of the system.
  writeFileSync(
    join(settings, 'master.cf'),
    services.replace(/^(\w+ +(?:unix|inet) +\S+ +\S+ +)y /gm, '$1n '),
  )
  copyFileSync('/etc/postfix/dynamicmaps.cf', join(settings, 'dynamicmaps.cf'))
  const master = spawn(postfix, ['-c', settings, 'start-fg'], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = watchOutput(master)
  const exited = once(master, 'exit')
  await Promise.race([
    until(async () =>
      (await Promise.all(Object.values(ports).map((port) => isListening('127.0.0.1', port)))).every(Boolean),
    ),
    exited.then(() => Promise.reject(new Error(`Postfix has ended: ${output.text()}`))),
  ])
  const inbox = join(mail, 'all/new')
  const mailbox = () => {
    try {
      return readdirSync(inbox).map((name) => readFileSync(join(inbox, name), 'utf8'))
    } catch {
      return []
    }
  }
  return {
    ...ports,
    ca,
    mailbox,
    async delivered(to) {
      const find = () => mailbox().find((text) => text.includes(`Delivered-To: ${to}\n`))
      await until(async () => find() !== undefined)
      return find() ?? ''
    },
    async stop() {
      execFileSync(postfix, ['-c', settings, 'stop'], { stdio: 'ignore' })
      await exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function servicesOf(ports: Pick<Postfix, 'port' | 'plainPort' | 'asciiPort'>): string {
  const service = (port: number, ...options: string[]) =>
    [`127.0.0.1:${port} inet n - n - - smtpd`, ...options.map((each) => `  -o ${each}`)].join('\n')
  return [
    service(ports.port),
    service(ports.plainPort, 'smtpd_tls_security_level=none'),
    service(ports.asciiPort, 'smtputf8_enable=no'),
  ].join('\n')
}
