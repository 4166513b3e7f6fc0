import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { redirectOrigins, socialLoginSettings } from '../../core-plugins/accounts/social-login/settings.ts'
import { startConfig } from '../api/config-support.ts'

const keys = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
const production = { NODE_ENV: 'production' }

describe('settings of social login', () => {
  it('warn in production where nothing says what the address of the service is', async () => {
    const warningsOf = async (env: Record<string, string>) =>
      (await startConfig(socialLoginSettings, { env })).warnings
    const [warning = '', ...more] = await warningsOf({ ...production, ...keys })
    assert.deepEqual(more, [])
    assert.match(warning, /^SVC_SECURITY_SOCIAL_LOGIN_CALLBACK_ORIGIN: and site\.url are empty.*SVC_SITE_URL/)
    assert.deepEqual(await warningsOf({ ...production }), [])
    assert.deepEqual(await warningsOf(keys), [])
    assert.deepEqual(await warningsOf({ ...production, ...keys, SVC_SITE_URL: 'https://a.example' }), [])
    const origin = { SVC_SECURITY_SOCIAL_LOGIN_CALLBACK_ORIGIN: 'https://a.example' }
    assert.deepEqual(await warningsOf({ ...production, ...keys, ...origin }), [])
  })

  it('take origins and nothing more', async () => {
    for (const wrong of ['https://a.example/', 'https://a.example/x', 'a.example', '*', 'null', 'file://']) {
      const env = { SVC_SECURITY_SOCIAL_LOGIN_REDIRECT_ORIGINS: JSON.stringify(['https://b.example', wrong]) }
      await assert.rejects(startConfig([redirectOrigins], { env }), /is not an origin/, wrong)
    }
  })

  it('take other endpoints, encrypted in production', async () => {
    const start = (address: string, env = {}) =>
      startConfig(socialLoginSettings, { env: { ...env, OAUTH_VK_TOKEN_URL: address } })
    for (const wrong of ['id.example.com', 'ftp://id.example.com', '/token']) {
      const env = { OAUTH_VK_TOKEN_URL: wrong }
      await assert.rejects(startConfig(socialLoginSettings, { env }), /OAUTH_VK_TOKEN_URL: is not an/)
    }
    assert.deepEqual((await start('http://127.0.0.1:1/token')).warnings, [])
    assert.deepEqual((await start('https://id.example.com/token', production)).warnings, [])
    const { warnings } = await start('http://id.example.com/token', production)
    assert.match(warnings.join(), /^OAUTH_VK_TOKEN_URL: is not encrypted/)
  })
})
