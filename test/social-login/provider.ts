import { createHash, createHmac, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The account that whoever comes to the provider is signed in with. */
export interface ProviderAccount {
  readonly id: string
  readonly email?: string | undefined
  readonly isVerified?: boolean
  readonly name?: string
}

export const shapes = ['google', 'github', 'facebook', 'vk'] as const
export type Shape = (typeof shapes)[number]

/** Answers in the place of an endpoint; false where the endpoint is to answer after all. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean

/** Four providers on loopback, each in the shape of a real one, and as strict as that. */
export interface TestProvider {
  /** For the environment of a service. */
  readonly env: Readonly<Record<string, string>>
  readonly url: string
  account: ProviderAccount
  /** By path without the shape: `/token`. */
  readonly faults: Map<string, Fault>
  /** Changes the claims of the next ID tokens. */
  claims: Readonly<Record<string, unknown>>
  /** Signs ID tokens with a key that is in no list. */
  isForging: boolean
  /** Paths that were asked, with the shape. */
  readonly asked: string[]
  /** What the browser was last sent to the provider with. */
  lastAuthorization: URLSearchParams
  stop(): Promise<void>
}

export const clientSecret = 'a secret that only the provider knows'

const key = generateKeyPairSync('rsa', { modulusLength: 2048 })
const forgersKey = generateKeyPairSync('rsa', { modulusLength: 2048 })

interface Code {
  readonly parameters: URLSearchParams
  readonly account: ProviderAccount
}

/** Starts them on a free port. */
export async function startProvider(): Promise<TestProvider> {
  const codes = new Map<string, Code>()
  const tokens = new Map<string, ProviderAccount>()

  function authorize(shape: Shape, parameters: URLSearchParams, response: ServerResponse) {
    provider.lastAuthorization = parameters
    const complete = ['client_id', 'redirect_uri', 'scope', 'state', 'code_challenge'].every((name) =>
      parameters.has(name),
    )
    if (!complete || parameters.get('code_challenge_method') !== 'S256') return answer(response, 400, {})
    const code = randomUUID()
    codes.set(code, { parameters, account: provider.account })
    const back = new URL(parameters.get('redirect_uri') ?? '')
    back.searchParams.set('code', code)
    back.searchParams.set('state', parameters.get('state') ?? '')
    if (shape === 'vk') back.searchParams.set('device_id', `device of ${code}`)
    response.writeHead(302, { location: back.href }).end()
  }

  function token(shape: Shape, form: URLSearchParams, response: ServerResponse) {
    const name = form.get('code') ?? ''
    const code = codes.get(name)
    codes.delete(name)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isGood =
      code !== undefined &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('client_secret') === clientSecret &&
      form.get('client_id') === code.parameters.get('client_id') &&
      form.get('redirect_uri') === code.parameters.get('redirect_uri') &&
      challenge === code.parameters.get('code_challenge') &&
      (shape !== 'vk' || form.get('device_id') === `device of ${name}`)
    if (!isGood) {
      return shape === 'github'
        ? answer(response, 200, { error: 'bad_verification_code' })
        : answer(response, 400, { error: 'invalid_grant' })
    }
    const accessToken = randomUUID()
    tokens.set(accessToken, code.account)
    const granted = { access_token: accessToken, token_type: 'bearer', expires_in: 3600 }
    if (shape === 'google') answer(response, 200, { ...granted, id_token: idToken(code) })
    else if (shape === 'vk') answer(response, 200, { ...granted, user_id: 1, id_token: 'not for us' })
    else answer(response, 200, granted)
  }

  function idToken({ account, parameters }: Code): string {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      ...{ iss: `${provider.url}/google`, aud: parameters.get('client_id'), iat: now, exp: now + 600 },
      ...{ sub: account.id, nonce: parameters.get('nonce'), name: account.name },
      ...{ email: account.email, email_verified: account.isVerified },
      ...provider.claims,
    }
    const encoded = [{ alg: 'RS256', kid: 'one' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const signer = createSign('RSA-SHA256').update(encoded.join('.'))
    const { privateKey } = provider.isForging ? forgersKey : key
    return `${encoded.join('.')}.${signer.sign(privateKey, 'base64url')}`
  }

  function userinfo(shape: Shape, url: URL, request: IncomingMessage, form: URLSearchParams) {
    const bearer = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const account = tokens.get(shape === 'vk' ? (form.get('access_token') ?? '') : bearer)
    if (account === undefined) return undefined
    const { id, email, isVerified, name } = account
    switch (shape) {
      case 'google':
        return { sub: id, email, email_verified: isVerified, name }
      case 'github':
        return url.pathname.endsWith('/emails')
          ? [
              { email: `old-${email}`, primary: false, verified: true },
              ...(email === undefined ? [] : [{ email, primary: true, verified: isVerified }]),
            ].filter((each) => isVerified || each.primary)
          : { id: Number(id), login: name, email: 'public@elsewhere.example' }
      case 'facebook': {
        const proof = createHmac('sha256', clientSecret).update(bearer).digest('hex')
        return url.searchParams.get('appsecret_proof') === proof
          ? { id, name, email, ...(isVerified === false ? { email_verified: false } : {}) }
          : undefined
      }
      case 'vk': {
        const [first_name, last_name] = (name ?? '').split(' ')
        const verified = isVerified === false ? { email_verified: false } : {}
        return { user: { user_id: id, first_name, last_name, email, ...verified } }
      }
    }
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const [, shape, ...rest] = url.pathname.split('/') as [string, Shape, ...string[]]
    const path = `/${rest.join('/')}`
    provider.asked.push(url.pathname)
    if (provider.faults.get(path)?.(request, response) === true) return
    const form = new URLSearchParams(await textOf(request))
    if (path === '/authorize') return authorize(shape, url.searchParams, response)
    if (path === '/token') return token(shape, form, response)
    if (path === '/jwks') {
      const jwk = { ...key.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }
      return answer(response, 200, { keys: [jwk] })
    }
    const user = userinfo(shape, url, request, form)
    answer(response, user === undefined ? 401 : 200, user ?? {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const provider: TestProvider = {
    url,
    env: environmentOf(url),
    account: { id: '1' },
    faults: new Map(),
    claims: {},
    isForging: false,
    asked: [],
    lastAuthorization: new URLSearchParams(),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}

function environmentOf(url: string): Record<string, string> {
  const application = { google: 'CLIENT', github: 'CLIENT', facebook: 'APP', vk: 'APP' }
  const entries = shapes.flatMap((shape) => {
    const name = shape.toUpperCase()
    return [
      [`${name}_${application[shape]}_ID`, `${shape}-client`],
      [`${name}_${application[shape]}_SECRET`, clientSecret],
      [`OAUTH_${name}_AUTHORIZE_URL`, `${url}/${shape}/authorize`],
      [`OAUTH_${name}_TOKEN_URL`, `${url}/${shape}/token`],
      [`OAUTH_${name}_USERINFO_URL`, `${url}/${shape}/user`],
    ]
  })
  return {
    ...Object.fromEntries(entries),
    OAUTH_GOOGLE_JWKS_URL: `${url}/google/jwks`,
    OAUTH_GOOGLE_ISSUER: `${url}/google`,
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
