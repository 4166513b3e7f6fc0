import * as oauth from 'oauth4webapi'
import { AppError } from '../../foundation/http/http.ts'
import type { Attempt } from './attempt.ts'
import { limitedFetch, type ProviderFetch } from './limited-fetch.ts'
import { providerKinds } from './providers/providers.ts'
import type { Provider } from './settings.ts'
import type { Identity } from './social-login.ts'

/** The communication between the service and one provider. */
export interface Exchange {
  /** The provider's page that the browser is redirected to. */
  authorizationUrl(attempt: Attempt): Promise<URL>
  /**
   * Exchanges the parameters of the callback for the user's identity.
   * @throws AppError 403 if the user declined, 400 for a code that the provider does not accept, 502 for a
   * provider that fails, times out or sends untrustworthy data
   */
  identify(answer: URLSearchParams, attempt: Attempt): Promise<Identity>
}

const codeChallengeMethod = 'S256'

/** Errors by which token endpoints refuse a code; the second one is GitHub's. */
const badCodeErrors = new Set(['invalid_grant', 'bad_verification_code'])

/** Creates the exchange with a provider, with a time limit for finding out who the user is. */
export function createExchange(provider: Provider, timeoutMs: number): Exchange {
  const { label, endpoints, clientId, clientSecret, isOpenId } = provider
  const kind = providerKinds[provider.name]
  // The same object every time: the library keeps the keys of ID tokens by it.
  const server: oauth.AuthorizationServer = {
    issuer: endpoints.issuer || new URL(endpoints.authorize).origin,
    token_endpoint: endpoints.token,
    ...(endpoints.jwks === undefined ? {} : { jwks_uri: endpoints.jwks }),
  }
  const client: oauth.Client = { client_id: clientId }

  async function requestGrant(answer: URLSearchParams, attempt: Attempt, fetch: ProviderFetch) {
    const parameters = oauth.validateAuthResponse(server, client, answer, attempt.state)
    const options = {
      [oauth.customFetch]: isOpenId ? fetch : plainOAuth(fetch),
      [oauth.allowInsecureRequests]: isUnencrypted(endpoints.token),
      additionalParameters: (kind.echoed ?? []).flatMap((name) => {
        const value = answer.get(name)
        return value === null ? [] : [[name, value]]
      }),
    }
    const response = await oauth.authorizationCodeGrantRequest(
      ...([server, client, oauth.ClientSecretPost(clientSecret), parameters] as const),
      ...([attempt.redirectUri, attempt.codeVerifier, options] as const),
    )
    const expected = isOpenId ? { requireIdToken: true, expectedNonce: attempt.nonce } : {}
    const granted = await oauth.processAuthorizationCodeResponse(server, client, response, expected)
    if (isOpenId) {
      await oauth.validateApplicationLevelSignature(server, response, {
        [oauth.customFetch]: fetch,
        [oauth.allowInsecureRequests]: isUnencrypted(server.jwks_uri ?? ''),
      })
    }
    return granted
  }

  function asking(accessToken: string, fetch: ProviderFetch) {
    return async (url: URL, form?: URLSearchParams): Promise<unknown> => {
      const response = await oauth.protectedResourceRequest(
        ...([accessToken, form === undefined ? 'GET' : 'POST', url] as const),
        ...([new Headers({ accept: 'application/json' }), form ?? null] as const),
        { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: isUnencrypted(url.href) },
      )
      if (response.status !== 200) throw new Error(`${url.pathname} answered ${response.status}`)
      return response.json()
    }
  }

  return {
    async authorizationUrl({ state, nonce, codeVerifier, redirectUri }) {
      const url = new URL(endpoints.authorize)
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: kind.scope,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: codeChallengeMethod,
        ...(isOpenId ? { nonce } : {}),
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url
    },
    async identify(answer, attempt) {
      const fetch = limitedFetch(AbortSignal.timeout(timeoutMs))
      try {
        const granted = await requestGrant(answer, attempt, fetch)
        return await kind.identify({
          accessToken: granted.access_token,
          claims: oauth.getValidatedIdTokenClaims(granted),
          ...{ clientId, clientSecret, endpoints },
          ask: asking(granted.access_token, fetch),
        })
      } catch (error) {
        throw asRefusal(error, label)
      }
    },
  }
}

function isUnencrypted(address: string): boolean {
  return address.startsWith('http:')
}

/**
 * Normalises deviations of plain OAuth 2 providers: an ID token that was not requested, an error with a
 * success status, a missing token type.
 */
function plainOAuth(fetch: ProviderFetch): ProviderFetch {
  return async (url, request) => {
    const response = await fetch(url, request)
    if (response.status !== 200) return response
    const { id_token: _unchecked, ...body } = (await response.json()) as Record<string, unknown>
    const status = typeof body.error === 'string' ? 400 : 200
    return Response.json({ token_type: 'bearer', ...body }, { status })
  }
}

function asRefusal(error: unknown, label: string): AppError {
  if (error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied') {
    return AppError.forbidden(`signing in was refused at ${label}`)
  }
  if (error instanceof oauth.ResponseBodyError && badCodeErrors.has(error.error)) return badCode(label)
  // The library's errors carry the provider's response, tokens included, which must not be logged.
  const cause = new Error(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  return new AppError('BAD_GATEWAY', `${label} did not answer as expected; try again later`, { cause })
}

function badCode(label: string): AppError {
  const message = `is not known to ${label}, was used already or is too old`
  return AppError.invalid([{ path: 'code', code: 'invalid', message }])
}
