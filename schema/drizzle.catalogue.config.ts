import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './schema/catalogue/tables/*.ts',
  out: './schema/migrations/catalogue',
});
