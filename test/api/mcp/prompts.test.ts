import { describe, expect, it } from 'vitest';
import { listFurtherFields } from '../../../api/answer/trim.ts';
import { getPrompt, makeNameTool } from '../../../api/mcp/prompts.ts';
import { compileTools } from '../../../api/mcp/tools.ts';
import { knownOperations as operations } from '../../support/known-operations.ts';

const tools = compileTools(operations, 'svc_');
const nameTool = makeNameTool('svc_', tools);

/** The steps of a prompt for a company or a market. */
function stepsOf(prompt: string): string[] {
  const given = { company: 'Acme', companies: 'Acme, Bolt', category: 'lifts', region: 'Wales' };
  const texts = getPrompt(prompt, given, nameTool).messages.map(({ content }) => (content as { text: string }).text);
  return texts.join('\n').split('\n');
}

describe('the steps of a prompt', () => {
  it.each(['renewal_pipeline', 'size_market', 'weekly_watch'])('of %s keep every search to its category', (name) => {
    const asking = stepsOf(name).filter((step) => /svc_(search_|summarise_)/.test(step));
    expect(asking.filter((step) => !/ cpv|the same filters/.test(step))).toEqual([]);
  });

  it('ask at once for the fields that the next step needs', () => {
    const [, profile = ''] = stepsOf('find_tenders');
    const [, named = ''] = /fields ([a-z,_]+)/.exec(profile) ?? [];
    expect(named.split(',')).toEqual(['cpv', 'region']);
    const profiled = tools.get('svc_company_profile')?.operation;
    expect(profiled && listFurtherFields(profiled)).toEqual(expect.arrayContaining(named.split(',')));
  });

  it('are those of an argument left out where it is left blank', () => {
    const of = (region: object) =>
      getPrompt('find_tenders', { company: 'Acme', category: 'lifts', ...region }, nameTool);
    expect(of({ region: ' ' })).toEqual(of({}));
    expect(of({ region: 'Wales' })).not.toEqual(of({}));
  });

  it('name the call that answers what they look for: no search names incumbents', () => {
    const step = stepsOf('renewal_pipeline').find((each) => each.includes('incumbents'));
    expect(step).toMatch(/svc_get_notice \(5 credits\)[^.;]* incumbents/);
  });

  it('say what a call costs whose price is not one number', () => {
    expect(stepsOf('compare_competitors')[1]).toContain('svc_lookup_companies (5 credits for each company found');
  });
});
