UPDATE `change` SET former = json_set(former,
    '$.cpvs', iif(former ->> '$.cpv' IS NULL, json('[]'), json_array(former ->> '$.cpv')),
    '$.regions', iif(former ->> '$.region' IS NULL, json('[]'), json_array(json_object('code', former ->> '$.region', 'name', former ->> '$.region'))))
  WHERE kind = 'framework' AND former <> 'null';
--> statement-breakpoint
UPDATE `framework` SET detail = json_set(detail,
    '$.cpvs', iif(cpv IS NULL, json('[]'), json_array(cpv)),
    '$.regions', iif(detail -> '$.regions[0]' IS NULL, json('[]'), json_array(detail -> '$.regions[0]')))
  WHERE gone = 0 AND EXISTS (SELECT 1 FROM `notice` n WHERE n.notice_id = framework.notice_id AND n.process_id = framework.process_id);
--> statement-breakpoint
DROP TRIGGER `change_of_framework`;
--> statement-breakpoint
CREATE TRIGGER `change_of_framework` AFTER UPDATE OF seq ON framework WHEN NEW.seq > OLD.seq BEGIN
  INSERT INTO change (kind, seq, id, change, changed, former) VALUES ('framework', NEW.seq, NEW.id, CASE WHEN NEW.gone = 1 THEN 'gone' WHEN OLD.gone IS NOT 0 THEN 'new' ELSE 'updated' END, iif(NEW.gone = 0 AND OLD.gone = 0, trim(iif(OLD.notice_id IS NOT NEW.notice_id, 'notice_id ', '') || iif(OLD.title IS NOT NEW.title, 'title ', '') || iif(OLD.kind IS NOT NEW.kind, 'kind ', '') || iif(OLD.buyer_id IS NOT NEW.buyer_id, 'buyer_id ', '') || iif(OLD.buyer IS NOT NEW.buyer, 'buyer ', '') || iif(OLD.starts IS NOT NEW.starts, 'starts ', '') || iif(OLD.ends IS NOT NEW.ends, 'ends ', '') || iif(OLD.ceiling IS NOT NEW.ceiling, 'ceiling ', '') || iif(OLD.currency IS NOT NEW.currency, 'currency ', '') || iif(OLD.cpv IS NOT NEW.cpv, 'cpv ', '') || iif(OLD.region IS NOT NEW.region, 'region ', '') || iif(OLD.nation IS NOT NEW.nation, 'nation ', '') || iif(OLD.url IS NOT NEW.url, 'url ', '') || iif(OLD.published IS NOT NEW.published, 'published ', '') || iif(OLD.copy_of IS NOT NEW.copy_of, 'copy_of ', '') || iif(OLD.also_on IS NOT NEW.also_on, 'also_on ', '') || iif(OLD.lots IS NOT NEW.lots, 'lots ', '') || iif(OLD.detail IS NOT NEW.detail, 'detail ', '')), ''), iif(OLD.id IS NOT NULL AND (NEW.gone = 1 OR OLD.buyer_id IS NOT NEW.buyer_id OR OLD.ceiling IS NOT NEW.ceiling OR OLD.currency IS NOT NEW.currency OR OLD.published IS NOT NEW.published OR OLD.source IS NOT NEW.source OR OLD.nation IS NOT NEW.nation OR OLD.copy_of IS NOT NEW.copy_of OR (OLD.detail IS NOT NEW.detail AND (OLD.detail -> '$.cpvs') IS NOT (NEW.detail -> '$.cpvs')) OR (OLD.detail IS NOT NEW.detail AND (OLD.detail -> '$.regions') IS NOT (NEW.detail -> '$.regions')) OR OLD.also_on IS NOT NEW.also_on), json_object('buyer_id', OLD.buyer_id, 'ceiling', OLD.ceiling, 'currency', OLD.currency, 'published', OLD.published, 'source', OLD.source, 'nation', OLD.nation, 'copy_of', OLD.copy_of, 'cpvs', (OLD.detail -> '$.cpvs'), 'regions', (OLD.detail -> '$.regions'), 'also_on', json(OLD.also_on)), NULL));
END;
--> statement-breakpoint
UPDATE `counter` SET value = value + 1 WHERE name = 'seq' AND EXISTS (SELECT 1 FROM `framework` WHERE gone = 0);
--> statement-breakpoint
UPDATE `framework` SET detail = json_set(framework.detail, '$.cpvs', json(n.cpvs), '$.regions', json(n.regions)),
    cpv = n.cpvs ->> '$[0]', region = n.regions ->> '$[0].code', seq = (SELECT value FROM `counter` WHERE name = 'seq')
  FROM `notice` n WHERE framework.gone = 0 AND n.notice_id = framework.notice_id AND n.process_id = framework.process_id
    AND (framework.detail -> '$.cpvs' IS NOT json(n.cpvs) OR framework.detail -> '$.regions' IS NOT json(n.regions));
