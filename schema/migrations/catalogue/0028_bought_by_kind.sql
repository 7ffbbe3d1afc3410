ALTER TABLE `framework` ADD `buyer_kind` text;
--> statement-breakpoint
ALTER TABLE `notice` ADD `buyer_kind` text;
--> statement-breakpoint
UPDATE `notice` SET buyer_kind = b.kind FROM `buyer` b WHERE b.id = notice.buyer_id AND b.kind IS NOT NULL;
--> statement-breakpoint
UPDATE `framework` SET buyer_kind = b.kind FROM `buyer` b WHERE b.id = framework.buyer_id AND b.kind IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `buyer_kind_of_added_notice` AFTER INSERT ON notice WHEN NEW.buyer_id IS NOT NULL BEGIN
  UPDATE notice SET buyer_kind = b.kind FROM buyer b WHERE notice.id = NEW.id AND b.id = NEW.buyer_id AND b.kind IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `buyer_kind_of_notice` AFTER UPDATE OF buyer_id ON notice WHEN NEW.buyer_id IS NOT OLD.buyer_id BEGIN
  UPDATE notice SET buyer_kind = (SELECT kind FROM buyer WHERE id = NEW.buyer_id) WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER `buyer_kind_of_added_framework` AFTER INSERT ON framework WHEN NEW.buyer_id IS NOT NULL BEGIN
  UPDATE framework SET buyer_kind = b.kind FROM buyer b WHERE framework.id = NEW.id AND b.id = NEW.buyer_id AND b.kind IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `buyer_kind_of_framework` AFTER UPDATE OF buyer_id ON framework WHEN NEW.buyer_id IS NOT OLD.buyer_id BEGIN
  UPDATE framework SET buyer_kind = (SELECT kind FROM buyer WHERE id = NEW.buyer_id) WHERE id = NEW.id;
END;
--> statement-breakpoint
DROP TRIGGER `kind_of_added_buyer`;
--> statement-breakpoint
CREATE TRIGGER `kind_of_added_buyer` AFTER INSERT ON buyer WHEN NEW.kind IS NOT NULL BEGIN
  UPDATE notice SET buyer_kind = NEW.kind WHERE buyer_id = NEW.id;
  UPDATE contract SET buyer_kind = NEW.kind WHERE buyer_id = NEW.id;
  UPDATE framework SET buyer_kind = NEW.kind WHERE buyer_id = NEW.id;
END;
--> statement-breakpoint
DROP TRIGGER `kind_of_buyer`;
--> statement-breakpoint
CREATE TRIGGER `kind_of_buyer` AFTER UPDATE OF kind ON buyer WHEN NEW.kind IS NOT OLD.kind BEGIN
  UPDATE notice SET buyer_kind = NEW.kind, seq = iif(gone = 0, max(seq, NEW.seq), seq) WHERE buyer_id = NEW.id;
  UPDATE contract SET buyer_kind = NEW.kind, seq = iif(gone = 0, max(seq, NEW.seq), seq) WHERE buyer_id = NEW.id;
  UPDATE framework SET buyer_kind = NEW.kind, seq = iif(gone = 0, max(seq, NEW.seq), seq) WHERE buyer_id = NEW.id;
END;
--> statement-breakpoint
DROP TRIGGER `change_of_notice`;
--> statement-breakpoint
CREATE TRIGGER `change_of_notice` AFTER UPDATE OF seq ON notice WHEN (NEW.seq > OLD.seq OR (NEW.seq = OLD.seq AND (NEW.digest IS NOT OLD.digest OR NEW.gone IS NOT OLD.gone))) BEGIN
  INSERT INTO change (kind, seq, id, change, changed, former) VALUES ('notice', NEW.seq, NEW.id, CASE WHEN NEW.gone = 1 THEN 'gone' WHEN OLD.gone IS NOT 0 THEN 'new' ELSE 'updated' END, iif(NEW.gone = 0 AND OLD.gone = 0, trim(iif(OLD.stage IS NOT NEW.stage, 'stage ', '') || iif(OLD.notice_type IS NOT NEW.notice_type, 'notice_type ', '') || iif(OLD.title IS NOT NEW.title, 'title ', '') || iif(OLD.description IS NOT NEW.description, 'description ', '') || iif(OLD.buyer_id IS NOT NEW.buyer_id, 'buyer_id ', '') || iif(OLD.buyer IS NOT NEW.buyer, 'buyer ', '') || iif(OLD.published IS NOT NEW.published, 'published ', '') || iif(OLD.published_at IS NOT NEW.published_at, 'published_at ', '') || iif(OLD.deadline IS NOT NEW.deadline, 'deadline ', '') || iif(OLD.deadline_at IS NOT NEW.deadline_at, 'deadline_at ', '') || iif(OLD.value IS NOT NEW.value, 'value ', '') || iif(OLD.currency IS NOT NEW.currency, 'currency ', '') || iif(OLD.value_basis IS NOT NEW.value_basis, 'value_basis ', '') || iif(OLD.cpvs IS NOT NEW.cpvs, 'cpv ', '') || iif(OLD.regions IS NOT NEW.regions, 'region ', '') || iif(OLD.nation IS NOT NEW.nation, 'nation ', '') || iif(OLD.buyer_kind IS NOT iif(OLD.buyer_id IS NEW.buyer_id, NEW.buyer_kind, (SELECT kind FROM buyer WHERE id = NEW.buyer_id)), 'buyer_kind ', '') || iif(OLD.status IS NOT NEW.status, 'status ', '') || iif(OLD.url IS NOT NEW.url, 'url ', '') || iif(OLD.is_tender IS NOT NEW.is_tender, 'is_tender ', '') || iif(OLD.copy_of IS NOT NEW.copy_of, 'copy_of ', '') || iif(OLD.also_on IS NOT NEW.also_on, 'also_on ', '') || iif(OLD.detail IS NOT NEW.detail OR OLD.joint_buyer_ids IS NOT NEW.joint_buyer_ids, 'detail ', '')), ''), iif(OLD.id IS NOT NULL AND (NEW.gone = 1 OR OLD.buyer_id IS NOT NEW.buyer_id OR OLD.value IS NOT NEW.value OR OLD.currency IS NOT NEW.currency OR OLD.published IS NOT NEW.published OR OLD.source IS NOT NEW.source OR OLD.notice_type IS NOT NEW.notice_type OR OLD.stage IS NOT NEW.stage OR OLD.deadline IS NOT NEW.deadline OR OLD.deadline_at IS NOT NEW.deadline_at OR OLD.status IS NOT NEW.status OR OLD.is_tender IS NOT NEW.is_tender OR OLD.nation IS NOT NEW.nation OR OLD.buyer_kind IS NOT NEW.buyer_kind OR OLD.copy_of IS NOT NEW.copy_of OR OLD.cpvs IS NOT NEW.cpvs OR OLD.regions IS NOT NEW.regions OR OLD.also_on IS NOT NEW.also_on OR OLD.joint_buyer_ids IS NOT NEW.joint_buyer_ids OR (OLD.detail IS NOT NEW.detail AND (SELECT json_group_array(value) FROM json_each('["sme","vcse"]') WHERE OLD.detail ->> ('$.suitable_for_' || value)) IS NOT (SELECT json_group_array(value) FROM json_each('["sme","vcse"]') WHERE NEW.detail ->> ('$.suitable_for_' || value))) OR (OLD.detail IS NOT NEW.detail AND (OLD.detail -> '$.special_regimes') IS NOT (NEW.detail -> '$.special_regimes')) OR (OLD.detail IS NOT NEW.detail AND (OLD.detail -> '$.reserved_for') IS NOT (NEW.detail -> '$.reserved_for')) OR (OLD.detail IS NOT NEW.detail AND (OLD.detail -> '$.direct_award_grounds') IS NOT (NEW.detail -> '$.direct_award_grounds')) OR (OLD.detail IS NOT NEW.detail AND (OLD.detail ->> '$.above_threshold') IS NOT (NEW.detail ->> '$.above_threshold')) OR (OLD.detail IS NOT NEW.detail AND (OLD.detail ->> '$.dates.tender_expected') IS NOT (NEW.detail ->> '$.dates.tender_expected'))), json_object('buyer_id', OLD.buyer_id, 'value', OLD.value, 'currency', OLD.currency, 'published', OLD.published, 'source', OLD.source, 'notice_type', OLD.notice_type, 'stage', OLD.stage, 'deadline', OLD.deadline, 'deadline_at', OLD.deadline_at, 'status', OLD.status, 'is_tender', OLD.is_tender, 'nation', OLD.nation, 'buyer_kind', OLD.buyer_kind, 'copy_of', OLD.copy_of, 'cpvs', json(OLD.cpvs), 'regions', json(OLD.regions), 'also_on', json(OLD.also_on), 'joint_buyer_ids', json(OLD.joint_buyer_ids), 'suitable_for', (SELECT json_group_array(value) FROM json_each('["sme","vcse"]') WHERE OLD.detail ->> ('$.suitable_for_' || value)), 'special_regimes', (OLD.detail -> '$.special_regimes'), 'reserved_for', (OLD.detail -> '$.reserved_for'), 'direct_award_grounds', (OLD.detail -> '$.direct_award_grounds'), 'above_threshold', (OLD.detail ->> '$.above_threshold'), 'tender_expected', (OLD.detail ->> '$.dates.tender_expected')), NULL))
    ON CONFLICT (kind, seq, id) DO UPDATE SET change = excluded.change,
      changed = CASE WHEN excluded.change <> 'updated' THEN '' WHEN excluded.changed LIKE '%buyer_kind%' THEN excluded.changed
        ELSE trim(changed || ' ' || excluded.changed) END, former = coalesce(former, excluded.former)
    WHERE change = 'updated';
END;
--> statement-breakpoint
DROP TRIGGER `change_of_framework`;
--> statement-breakpoint
CREATE TRIGGER `change_of_framework` AFTER UPDATE OF seq ON framework WHEN (NEW.seq > OLD.seq OR (NEW.seq = OLD.seq AND (NEW.digest IS NOT OLD.digest OR NEW.gone IS NOT OLD.gone))) BEGIN
  INSERT INTO change (kind, seq, id, change, changed, former) VALUES ('framework', NEW.seq, NEW.id, CASE WHEN NEW.gone = 1 THEN 'gone' WHEN OLD.gone IS NOT 0 THEN 'new' ELSE 'updated' END, iif(NEW.gone = 0 AND OLD.gone = 0, trim(iif(OLD.notice_id IS NOT NEW.notice_id, 'notice_id ', '') || iif(OLD.title IS NOT NEW.title, 'title ', '') || iif(OLD.kind IS NOT NEW.kind, 'kind ', '') || iif(OLD.buyer_id IS NOT NEW.buyer_id, 'buyer_id ', '') || iif(OLD.buyer IS NOT NEW.buyer, 'buyer ', '') || iif(OLD.buyer_kind IS NOT iif(OLD.buyer_id IS NEW.buyer_id, NEW.buyer_kind, (SELECT kind FROM buyer WHERE id = NEW.buyer_id)), 'buyer_kind ', '') || iif(OLD.starts IS NOT NEW.starts, 'starts ', '') || iif(OLD.ends IS NOT NEW.ends, 'ends ', '') || iif(OLD.ceiling IS NOT NEW.ceiling, 'ceiling ', '') || iif(OLD.currency IS NOT NEW.currency, 'currency ', '') || iif(OLD.cpv IS NOT NEW.cpv, 'cpv ', '') || iif(OLD.region IS NOT NEW.region, 'region ', '') || iif(OLD.nation IS NOT NEW.nation, 'nation ', '') || iif(OLD.url IS NOT NEW.url, 'url ', '') || iif(OLD.published IS NOT NEW.published, 'published ', '') || iif(OLD.copy_of IS NOT NEW.copy_of, 'copy_of ', '') || iif(OLD.also_on IS NOT NEW.also_on, 'also_on ', '') || iif(OLD.lots IS NOT NEW.lots, 'lots ', '') || iif(OLD.detail IS NOT NEW.detail, 'detail ', '')), ''), iif(OLD.id IS NOT NULL AND (NEW.gone = 1 OR OLD.buyer_id IS NOT NEW.buyer_id OR OLD.kind IS NOT NEW.kind OR OLD.ends IS NOT NEW.ends OR OLD.ceiling IS NOT NEW.ceiling OR OLD.currency IS NOT NEW.currency OR OLD.published IS NOT NEW.published OR OLD.source IS NOT NEW.source OR OLD.nation IS NOT NEW.nation OR OLD.buyer_kind IS NOT NEW.buyer_kind OR OLD.copy_of IS NOT NEW.copy_of OR (OLD.detail IS NOT NEW.detail AND (OLD.detail -> '$.joint_buyer_ids') IS NOT (NEW.detail -> '$.joint_buyer_ids')) OR (OLD.detail IS NOT NEW.detail AND (OLD.detail -> '$.cpvs') IS NOT (NEW.detail -> '$.cpvs')) OR (OLD.detail IS NOT NEW.detail AND (OLD.detail -> '$.regions') IS NOT (NEW.detail -> '$.regions')) OR OLD.also_on IS NOT NEW.also_on), json_object('buyer_id', OLD.buyer_id, 'kind', OLD.kind, 'ends', OLD.ends, 'ceiling', OLD.ceiling, 'currency', OLD.currency, 'published', OLD.published, 'source', OLD.source, 'nation', OLD.nation, 'buyer_kind', OLD.buyer_kind, 'copy_of', OLD.copy_of, 'joint_buyer_ids', (OLD.detail -> '$.joint_buyer_ids'), 'cpvs', (OLD.detail -> '$.cpvs'), 'regions', (OLD.detail -> '$.regions'), 'also_on', json(OLD.also_on)), NULL))
    ON CONFLICT (kind, seq, id) DO UPDATE SET change = excluded.change,
      changed = CASE WHEN excluded.change <> 'updated' THEN '' WHEN excluded.changed LIKE '%buyer_kind%' THEN excluded.changed
        ELSE trim(changed || ' ' || excluded.changed) END, former = coalesce(former, excluded.former)
    WHERE change = 'updated';
END;
