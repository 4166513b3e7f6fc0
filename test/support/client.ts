export {
  type Answer,
  createClient,
  expectStatus,
  type RequestOptions,
  signIn,
  type TestClient as Client,
} from '../../testing/client.ts'
