import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Paths of PEM files. */
export interface Certificates {
  /** The certificate authority that signed `cert`. */
  readonly ca: string
  /** Issued for `localhost`, not for its IP address. */
  readonly cert: string
  readonly key: string
}

/** Creates a certificate authority and a certificate signed by it in a folder, with OpenSSL. */
export function makeCertificates(folder: string): Certificates {
  const [ca, caKey, cert, key] = ['ca.pem', 'ca.key', 'server.pem', 'server.key'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  const [request, extensions] = [join(folder, 'server.csr'), join(folder, 'server.ext')]
  const run = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  const newKey = (file: string) => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    file,
  ]
  run('req', '-x509', ...newKey(caKey), '-out', ca, '-days', '2', '-subj', '/CN=An authority of tests')
  run('req', ...newKey(key), '-out', request, '-subj', '/CN=localhost')
  writeFileSync(extensions, 'subjectAltName=DNS:localhost\n')
  run(
    'x509',
    '-req',
    '-in',
    request,
    '-CA',
    ca,
    '-CAkey',
    caKey,
    '-CAcreateserial',
    '-out',
    cert,
    '-days',
    '2',
    '-extfile',
    extensions,
  )
  return { ca, cert, key }
}
