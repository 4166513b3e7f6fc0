module.exports = ({ env }) => ({
  host: '127.0.0.1',
  port: env.int('PORT', 1337),
  app: { keys: ['one', 'two'] },
})
