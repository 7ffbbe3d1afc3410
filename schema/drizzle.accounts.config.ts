import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './schema/accounts/tables/*.ts',
  out: './schema/migrations/accounts',
});
